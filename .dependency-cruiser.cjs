/** The layers of docs/architecture.md, held by a machine. Tests may use the contract suites and the stores in memory. */
const test = '([.]test[.]ts$|/testing/|/testing[.]ts$|^packages/(acceptance|contract-tests|faults)/)';
const layer = (name, allowed) => ({
  name: `${name}-depends-inwards`,
  comment: `packages/${name} may import ${allowed.length === 0 ? 'no other package' : allowed.join(', ')}.`,
  severity: 'error',
  from: { path: `^packages/${name}/`, pathNot: test },
  to: { path: '^packages/', pathNot: `^packages/(${[name, ...allowed].join('|')})/` },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: [test, '[.]d[.]ts$', '/dist/'] },
      to: {},
    },
    layer('domain', []),
    layer('application', ['domain']),
    layer('contract-tests', ['application', 'domain']),
    layer('embedded', ['application', 'domain']),
    layer('eventstoredb', ['application', 'domain']),
    layer('mongodb', ['application', 'domain']),
    layer('http', ['application', 'domain']),
    layer('console', ['domain']),
    layer('service', ['application', 'domain', 'embedded', 'eventstoredb', 'http', 'mongodb']),
    {
      name: 'no-test-package',
      comment: 'Acceptance tests and campaigns use the service; nothing uses them.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/(acceptance|faults)/' },
      to: { path: '^packages/(acceptance|faults)/' },
    },
    {
      name: 'acceptance-without-faults',
      comment: 'Campaigns use the tools of the acceptance tests.',
      severity: 'error',
      from: { path: '^packages/acceptance/' },
      to: { path: '^packages/faults/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'No I/O: not even the modules of Node.',
      severity: 'error',
      from: { path: '^packages/domain/', pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'domain-dependencies',
      comment: 'Each of them computes and nothing else.',
      severity: 'error',
      from: { path: '^packages/domain/', pathNot: test },
      to: {
        dependencyTypes: ['npm'],
        pathNot: 'node_modules/(@types/)?(big[.]js|dinero[.]js|fastest-levenshtein|fp-ts|io-ts)/',
      },
    },
    {
      name: 'through-the-front-door',
      comment: 'Packages import each other by their entry, never a file inside.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: '^packages/([^/]+)/(src|dist)/',
        pathNot: ['^packages/$1/', '/(src|dist)/(index|in-memory|testing)[.](ts|js|d[.]ts)$'],
      },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'declared',
      severity: 'error',
      from: { pathNot: test },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] },
    },
  ],
  options: {
    // Packages find each other as built: that is where a dependency on one ends.
    doNotFollow: { path: ['node_modules', '/dist/'] },
    tsConfig: { fileName: 'tsconfig.base.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default', 'types'],
    },
  },
};
