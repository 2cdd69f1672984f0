import { defineConfig } from 'oxlint'

import { ban, folders, layers, type Ban } from './oxlint.bans.ts'

const PACKAGE_SOURCES: Ban = {
  regex: '^@slipway/[^/]+/src/|^(\\.\\./)+([^./][^/]*/)+(src|test)/',
  message: 'Import a package by its exports.',
}

const OTHER_SERVICES: Ban = {
  regex:
    '^@slipway/((catalog|deployer|gateway|observability)(/|$)|[^/]+/src/)' +
    '|(^|/)(services/|(catalog|deployer|gateway|observability)/src/)',
  message: 'Services never import each other; a package is imported by its exports.',
}

const ONLY_BROWSER_PACKAGES: Ban = {
  regex: '^(node:|@slipway/(agent-|cli/|console|deployer|gateway|images|local|proto|shared))',
  message: 'This runs in browsers, which have only the client and the words.',
}

const CONSOLE = 'app > pages > layout > ui > address > api > text'

const SQL: Ban = { regex: '^kysely$', message: 'SQL belongs in db/.' }

const LIBRARIES_OF_ADAPTERS =
  '^(@slipway/proto/|@connectrpc/|@bufbuild/|@nats-io/|@kubernetes/|(kysely|pg|fastify)$)'

const DEPLOYER = ['rpc', 'reconcile', 'consumers', 'operations', 'apply', 'plan', 'credentials']
const DEPLOYER_LAYERS =
  'Layers: rpc > operations > apply > plan > credentials; each uses those to its right.'

function deployer(folder: string, banned: readonly string[], message = DEPLOYER_LAYERS) {
  return ban(`services/deployer/src/${folder}/**`, OTHER_SERVICES, SQL, folders(banned, message))
}

const OBSERVABILITY_LAYERS =
  'Layers: rpc > query > store; ingest > store; rpc, ingest > quota > db. ' +
  'Each uses those to its right; consumers use none.'

function observability(folder: string, banned: readonly string[]) {
  return ban(
    `services/observability/src/${folder}/**`,
    OTHER_SERVICES,
    folders(banned, OBSERVABILITY_LAYERS),
  )
}

const ABOVE_INGEST = ['rpc', 'query', 'consumers', 'access', 'db']
const INGEST = 'listeners > spans > logs > sources > messages > pipeline > decode'

const GATEWAY_LAYERS =
  'Layers: routes > public-answers > http > sessions; routes, sessions > backend. ' +
  'Each uses those to its right.'
const GATEWAY_ROOT = ['app.ts', 'context.ts', 'main.ts', 'service.ts']
const GATEWAY_HTTP =
  'server > plugins > console > problems > requests > limits > guides > ' +
  'document > schemas > responses'

function gateway(folder: string, banned: readonly string[]) {
  return ban(`services/gateway/src/${folder}/**`, OTHER_SERVICES, gatewayFolders(banned))
}

function gatewayFolders(banned: readonly string[]): Ban {
  return folders([...banned, ...GATEWAY_ROOT], GATEWAY_LAYERS)
}

const ABOVE_HTTP = ['routes', 'public-answers', 'backend', 'config.ts']

const LOCAL =
  'parts > identity-provider > postgres > ingress > kubernetes > install > process > stack'
const TOOLS = 'commands > demo > test-run > checks'

const CLI =
  'app > commands > traces > deployments > project > command > auth > config > output > errors'

const NO_SERVICE: Ban = {
  regex: '^@slipway/(agent-spec|catalog|deployer|observability|gateway)',
  message: 'Shared code must not depend on a service.',
}
const SHARED =
  'memberships > machine-tokens > idempotency > rpc > events > db > auth > account-limits > ' +
  'process > telemetry > http > fairness > logging > config'

const OTHER_PACKAGES_OF_APPS: Ban = {
  regex: '^@slipway/(catalog|deployer|gateway|observability|proto|shared|local|images)(/|$)',
  message: 'Apps use the API by packages/client. They share the agent spec and its images.',
}

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'promise', 'vitest'],
  categories: { correctness: 'error' },
  ignorePatterns: [
    'proto/gen/**',
    'packages/client/src/gen/**',
    '**/node_modules/**',
    '.slipway/**',
    // Agents with packages that are not dependencies of this repository.
    'test/recordings/make/senders/*/program.ts',
    'apps/cli/templates/**',
  ],
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/only-throw-error': 'error',
    'import/no-default-export': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'no-console': 'error',
    eqeqeq: 'error',
    'no-unused-vars': 'error',
    'vitest/no-focused-tests': 'error',
    'vitest/no-disabled-tests': 'error',
    'vitest/expect-expect': 'error',
    'vitest/no-standalone-expect': 'off',
    'no-restricted-imports': ['error', { patterns: [PACKAGE_SOURCES] }],
  },
  overrides: [
    { files: ['**/*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    {
      files: [
        'deploy/{chart-test,local}/**',
        '**/main.ts',
        '**/scripts/**',
        'examples/**',
        'test/bench/**',
        'tools/**',
      ],
      rules: { 'no-console': 'off' },
    },
    ban('services/*/src/**', OTHER_SERVICES, {
      regex: '^@slipway/client$',
      message: 'The client is for programs that use the REST API. Only tests of services use it.',
    }),
    ban(
      ['services/*/src/domain/**', 'packages/agent-spec/src/**'],
      OTHER_SERVICES,
      {
        regex: LIBRARIES_OF_ADAPTERS,
        message: 'domain/ and the agent spec are pure: types, shared errors, other domain files.',
      },
      folders(
        [
          ...DEPLOYER,
          'db',
          'config',
          'access',
          'manifests',
          'kubernetes',
          'ingest',
          'query',
          'store',
        ],
        'domain/ and the agent spec are pure: types, shared errors, other domain files.',
      ),
    ),
    ban(
      'services/*/src/db/**',
      OTHER_SERVICES,
      { regex: '^(@slipway/proto/|@connectrpc/)', message: 'db/ must not use proto types.' },
      folders(
        [...DEPLOYER, 'access', 'manifests', 'kubernetes', 'ingest', 'query', 'store'],
        'db/ uses domain/ only.',
      ),
    ),
    deployer('rpc', ['reconcile', 'consumers'], 'rpc/ must not use background work.'),
    deployer('reconcile', ['rpc', 'access', 'consumers']),
    deployer('operations', ['rpc', 'reconcile', 'consumers', 'access']),
    deployer('apply', ['rpc', 'reconcile', 'consumers', 'access', 'operations']),
    deployer('plan', ['rpc', 'reconcile', 'consumers', 'access', 'operations', 'apply']),
    deployer('credentials', [...DEPLOYER.slice(0, -1), 'access']),
    deployer(
      '{access,consumers}',
      ['rpc', 'reconcile', 'operations', 'apply', 'plan', 'credentials', 'kubernetes', 'manifests'],
      'access/ and consumers/ use db/ and domain/.',
    ),
    deployer(
      'kubernetes',
      [...DEPLOYER, 'access', 'db', 'manifests'],
      'kubernetes/ uses domain/ and the configuration.',
    ),
    deployer(
      'images',
      [...DEPLOYER, 'access', 'db', 'kubernetes', 'manifests'],
      'images/ uses domain/ and the configuration.',
    ),
    deployer(
      'manifests',
      [...DEPLOYER, 'access', 'db', 'kubernetes', 'config'],
      'manifests/ is pure: it uses domain/ and the agent spec.',
    ),
    observability('rpc', ['ingest', 'consumers', 'db']),
    observability('query', ['rpc', 'ingest', 'consumers', 'access', 'db']),
    observability('ingest', ABOVE_INGEST),
    ...layers(
      'services/observability/src/ingest',
      INGEST,
      OTHER_SERVICES,
      folders(ABOVE_INGEST, OBSERVABILITY_LAYERS),
    ),
    observability('store', ['rpc', 'query', 'ingest', 'consumers', 'access', 'db']),
    observability('quota', ['rpc', 'query', 'ingest', 'store', 'consumers', 'access']),
    observability('access', ['rpc', 'query', 'ingest', 'store', 'consumers', 'db']),
    observability('consumers', ['rpc', 'query', 'store']),
    gateway('http', ABOVE_HTTP),
    ...layers(
      'services/gateway/src/http',
      GATEWAY_HTTP,
      OTHER_SERVICES,
      gatewayFolders(ABOVE_HTTP),
    ),
    gateway('sessions', ['routes', 'public-answers', 'http']),
    gateway('backend', ['routes', 'public-answers', 'sessions', 'http', 'config.ts']),
    gateway('public-answers', ['routes', 'backend']),
    ban('services/gateway/src/routes/*/**', OTHER_SERVICES, {
      regex: '^\\.\\./(accounts|agents|auth|deployments|traces)/',
      message: 'Code that several resources share belongs in routes/, outside their folders.',
    }),
    ban('packages/shared/src/**', NO_SERVICE),
    ...layers('packages/shared/src', SHARED, NO_SERVICE),
    ban('apps/*/src/**', PACKAGE_SOURCES, OTHER_PACKAGES_OF_APPS),
    ...layers('apps/cli/src', CLI, PACKAGE_SOURCES, OTHER_PACKAGES_OF_APPS),
    ban('{apps/console,packages/words}/src/**', PACKAGE_SOURCES, ONLY_BROWSER_PACKAGES),
    ...layers('apps/console/src', CONSOLE, ONLY_BROWSER_PACKAGES),
    ban('packages/client/src/**', PACKAGE_SOURCES, {
      regex: '^(node:|@slipway/)',
      message: 'The client is published, and runs in browsers: no Node modules, no other packages.',
    }),
    ...layers('deploy/local', LOCAL, PACKAGE_SOURCES),
    ban('tools/**', PACKAGE_SOURCES),
    ...layers('tools', TOOLS, PACKAGE_SOURCES),
  ],
})
