# The price book service: `docker build -t pricebook .`, then
# `docker run -p 127.0.0.1:3000:3000 -v pricebook:/data pricebook`. docs/servers.md has the rest.

ARG NODE_IMAGE=node:24.21-bookworm-slim

# What is installed depends on the manifests alone: a change of the code does not install anew.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages packages
RUN find packages -mindepth 2 -maxdepth 2 ! -name package.json -exec rm -r {} +

# No install script runs here or below: native modules bring their binaries inside their npm packages.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --ignore-scripts --omit=dev --no-audit --no-fund
COPY tsconfig.base.json ./
COPY scripts scripts
COPY packages packages
RUN node scripts/pricebook.mjs --help > /dev/null && node scripts/console.mjs && test -f packages/console/dist/index.html
# Of the code only what runs: no tests, no stand-ins, no types; and the files that pages load.
RUN mkdir /out && find packages -path '*/dist/*' -name '*.js' -not -name '*.test.js' \
      -not -path '*/node_modules/*' -not -path 'packages/contract-tests/*' -not -path 'packages/acceptance/*' \
      -not -path 'packages/faults/*' -not -path '*/dist/*testing*' -exec cp --parents -t /out {} + \
  && cp -r --parents -t /out packages/service/sample packages/http/assets packages/console/dist

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY --from=manifests /app ./
RUN rm -r packages/contract-tests packages/acceptance packages/faults \
  && npm ci --ignore-scripts --no-audit --no-fund --omit=dev --workspace=@pricebook/service \
  && rm node_modules/swagger-ui-dist/*.map

FROM ${NODE_IMAGE}
# Where something is wrong with itself the service ends itself by SIGKILL, which Linux does not deliver to the first
# process of a container: tini is that one. It passes signals on.
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 PRICEBOOK_DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app ./
COPY --from=build /out ./
# Everything that the service needs can be loaded.
RUN node packages/service/dist/main.js --help > /dev/null
# The user `node`, as a number, so that Kubernetes can see that it is not root. The code belongs to root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
# Live, not ready: what restarts unhealthy containers would restart this one because a store is away, which helps
# nobody. The start is long where the read model has to be made anew, since nothing listens before.
HEALTHCHECK --interval=10s --timeout=5s --retries=3 --start-period=10m \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "packages/service/dist/main.js"]
CMD ["serve"]
