/** The compose files as `docker compose` understands them; it is not started here. */
import { execFile, spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { readConfiguration } from '@pricebook/service/testing';

interface Mount {
  readonly type: string;
  readonly source?: string;
  readonly target: string;
}

interface Service {
  readonly image: string;
  /** There where the image is built here. */
  readonly build?: object;
  readonly command?: readonly string[] | null;
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly ports?: readonly { readonly host_ip?: string }[];
  readonly volumes?: readonly Mount[];
  readonly networks?: Readonly<Record<string, unknown>>;
  readonly restart?: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly logging?: { readonly options?: Readonly<Record<string, string>> };
}

interface Composition {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const root = path.resolve(__dirname, '../../..');
const KEY = 'a-bootstrap-key-for-tests';

const isComposeThere = spawnSync('docker', ['compose', 'version']).status === 0;

/** What `docker compose config` makes of a file: all profiles, and no variables but those given. */
const resolve = async (file: string, variables: Readonly<Record<string, string>>): Promise<Composition> => {
  const { stdout } = await promisify(execFile)(
    'docker',
    ['compose', '--env-file', os.devNull, '--file', file, '--profile', '*', 'config', '--format', 'json'],
    {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        DOCKER_CONFIG: process.env['DOCKER_CONFIG'],
        ...variables,
      },
    },
  );
  return JSON.parse(stdout) as Composition;
};

/** Where the images of the databases keep what they keep. */
const DATA = { eventstore: '/var/lib/eventstore', mongo: '/data/db' };

const isOf = (kind: keyof typeof DATA, { image, restart }: Service): boolean =>
  image.startsWith(kind) && restart === 'unless-stopped';

const isOurs = ({ build }: Service): boolean => build !== undefined;

const isProjector = ({ command }: Service): boolean => command?.join(' ') === 'project';

const FILES = ['docker-compose.yml', 'docker-compose.large.yml'];

describe('the compose files', () => {
  if (!isComposeThere) {
    it('are as they should be (docker compose is missing)', function () {
      this.skip();
    });
    return;
  }

  const resolved = new Map<string, Composition>();

  /** The services of a file that fulfil a condition, each with its name. */
  const servicesOf = (
    file: string,
    condition: (service: Service) => boolean,
  ): readonly (readonly [string, Service])[] => {
    const found = Object.entries(resolved.get(file)?.services ?? {}).filter(([, service]) =>
      condition(service),
    );
    expect(found).to.not.be.empty;
    return found;
  };

  before(async () => {
    for (const file of FILES) resolved.set(file, await resolve(file, { PRICEBOOK_BOOTSTRAP_KEY: KEY }));
  });

  for (const file of FILES) {
    describe(file, () => {
      it('asks everything that goes on running for its health, and waits for what ends', () => {
        const awaited = servicesOf(file, () => true)
          .flatMap(([, service]) => Object.entries(service.depends_on ?? {}))
          .filter(([, { condition }]) => condition === 'service_completed_successfully')
          .map(([name]) => name);
        for (const [name, { restart, healthcheck }] of servicesOf(file, () => true)) {
          if (restart === 'unless-stopped') expect(healthcheck?.test, name).to.have.length.above(1);
          else expect(awaited).to.include(name);
        }
      });

      it('gives no more rights than are needed, and keeps logs small', () => {
        for (const [name, service] of servicesOf(file, () => true)) {
          expect(service.cap_drop, name).to.deep.equal(['ALL']);
          expect(service.security_opt, name).to.deep.equal(['no-new-privileges:true']);
          expect(service.logging?.options, name).to.have.all.keys('max-size', 'max-file');
        }
      });

      it('runs our image as another user than root, on files that it cannot change', () => {
        for (const [name, { user, read_only }] of servicesOf(file, isOurs)) {
          expect(user, name).to.match(/^[1-9]\d*:[1-9]\d*$/);
          expect(read_only, name).to.equal(true);
        }
      });

      it('keeps the data of every database in a volume of its own', () => {
        const sources = (['eventstore', 'mongo'] as const).flatMap((kind) =>
          servicesOf(file, (service) => isOf(kind, service)).map(([name, { volumes = [] }]) => {
            const data = volumes.find(({ target }) => target === DATA[kind]);
            expect(data?.type, name).to.equal('volume');
            return data?.source ?? '';
          }),
        );
        expect(resolved.get(file)?.volumes).to.include.all.keys(sources);
        expect(new Set(sources).size).to.equal(sources.length);
      });

      it('opens no port to other machines', () => {
        const ports = servicesOf(file, () => true).flatMap(([, service]) => service.ports ?? []);
        expect(ports).to.not.be.empty;
        expect(ports.filter(({ host_ip }) => host_ip !== '127.0.0.1')).to.deep.equal([]);
      });

      it('configures our image as it wants to be', () => {
        for (const [name, { environment = {} }] of servicesOf(file, isOurs)) {
          expect(E.isRight(readConfiguration(environment)), name).to.equal(true);
        }
      });

      it('needs no variable: without a bootstrap key the first start issues a key', async () => {
        const { services } = await resolve(file, {});
        const ours = Object.values(services).filter(isOurs);
        expect(ours).to.not.be.empty;
        for (const { environment = {} } of ours) {
          const configuration = readConfiguration(environment);
          if (E.isLeft(configuration)) throw new Error(configuration.left.join());
          expect(configuration.right.bootstrapKey).to.equal(undefined);
        }
      });
    });
  }

  describe('docker-compose.yml alone', () => {
    const projection = (composition: Composition | undefined): string | undefined =>
      composition?.services['pricebook']?.environment?.['PRICEBOOK_PROJECTOR'];

    it('projects in the service, or where asked for in a process of its own', async () => {
      const [file = ''] = FILES;
      expect(projection(resolved.get(file))).to.equal('inline');
      const variables = { PRICEBOOK_BOOTSTRAP_KEY: KEY, PRICEBOOK_PROJECTOR: 'off' };
      const apart = await resolve(file, variables);
      expect(projection(apart)).to.equal('off');
      expect(apart.services['projector']).to.have.deep.include({
        command: ['project'],
        profiles: ['projector'],
      });
    });
  });

  describe('docker-compose.large.yml alone', () => {
    const file = 'docker-compose.large.yml';
    const configured = (name: string): ReadonlySet<string | undefined> =>
      new Set(servicesOf(file, isOurs).map(([, { environment }]) => environment?.[name]));

    it('has two services that do not project, and one projector', () => {
      const [projectors, services] = [true, false].map((is) =>
        servicesOf(file, (service) => isOurs(service) && isProjector(service) === is),
      );
      expect(projectors).to.have.length(1);
      expect(services).to.have.length(2);
      expect([...configured('PRICEBOOK_PROJECTOR')]).to.deep.equal(['off']);
    });

    it('makes one cluster of three nodes of EventStoreDB, all of which are known to our image', () => {
      const nodes = servicesOf(file, (service) => isOf('eventstore', service));
      const addresses = nodes.map(([name]) => `${name}:2113`);
      expect(addresses).to.have.length(3);
      for (const [name, { environment = {} }] of nodes) {
        const seeds = environment['EVENTSTORE_GOSSIP_SEED']?.split(',');
        expect(seeds, name).to.have.members(addresses.filter((address) => address !== `${name}:2113`));
        expect(environment, name).to.include({
          EVENTSTORE_CLUSTER_SIZE: '3',
          EVENTSTORE_NODE_HOST_ADVERTISE_AS: name,
          EVENTSTORE_REPLICATION_HOST_ADVERTISE_AS: name,
        });
      }
      expect([...configured('EVENTSTOREDB_URL')]).to.deep.equal([`esdb://${addresses.join(',')}?tls=false`]);
    });

    it('makes one replica set of three MongoDBs, all of which are known to our image', () => {
      const members = servicesOf(file, (service) => isOf('mongo', service));
      const addresses = members.map(([name]) => `${name}:27017`);
      expect(addresses).to.have.length(3);
      for (const [name, { command }] of members) {
        expect(command, name).to.include.members(['--replSet', 'pricebook']);
      }
      const [[, init] = []] = servicesOf(
        file,
        ({ image, restart }) => image.startsWith('mongo') && restart === 'on-failure',
      );
      const script = init?.command?.at(-1) ?? '';
      expect([...script.matchAll(/[\w-]+:27017/g)].map(([address]) => address)).to.deep.equal(addresses);
      expect(script).to.include("_id: 'pricebook'");
      expect([...configured('MONGODB_URL')]).to.deep.equal([
        `mongodb://${addresses.join(',')}/pricebook?replicaSet=pricebook`,
      ]);
    });

    it('lets nobody but our image reach the databases', () => {
      for (const [name, { networks, ports }] of servicesOf(file, (service) => !isOurs(service))) {
        expect(networks, name).to.have.all.keys('stores');
        expect(ports, name).to.equal(undefined);
      }
      expect(resolved.get(file)?.networks['stores']?.internal).to.equal(true);
    });
  });
});
