import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Tests through the gateway that cover most interactions of all services. */
const SMOKE = ['test/e2e/lifecycle.test.ts']

/**
 * Tests of the whole stack, by the folder whose changes they cover. They call the services over the
 * network, so their imports don't lead to the changed files.
 */
export const STACK_TESTS: readonly (readonly [folder: string, tests: readonly string[]])[] = [
  [
    'services/catalog/src/',
    [
      'test/contract/account-answers.test.ts',
      'test/contract/agent-answers.test.ts',
      'test/contract/catalog.test.ts',
      'test/contract/service-callers.test.ts',
    ],
  ],
  [
    'services/deployer/src/',
    [
      'test/contract/deployments.test.ts',
      'test/contract/service-callers.test.ts',
      'test/e2e/deletion.test.ts',
      ...SMOKE,
    ],
  ],
  [
    'services/gateway/src/',
    [
      'test/contract/access-matrix.test.ts',
      'test/contract/agent-answers.test.ts',
      'test/contract/hostile-bodies.test.ts',
      'test/e2e/authentication.test.ts',
      ...SMOKE,
    ],
  ],
  [
    'services/observability/src/',
    [
      'test/contract/observability.test.ts',
      'test/contract/observability-fields.test.ts',
      'test/e2e/observability.test.ts',
    ],
  ],
  ['apps/cli/src/', ['test/e2e/cli/deploy.test.ts', 'test/e2e/cli/sign-in.test.ts']],
  ['apps/console/', ['test/console/deployment.test.ts']],
  ['packages/words/src/', ['test/console/deployment.test.ts', 'test/e2e/cli/deploy.test.ts']],
  ['packages/shared/src/', ['test/contract/service-callers.test.ts', ...SMOKE]],
  ['packages/agent-image/src/', SMOKE],
  ['packages/registry/src/', SMOKE],
  ['packages/agent-spec/src/', SMOKE],
  ['packages/client/', ['test/e2e/client.test.ts', 'test/e2e/packed-client.test.ts']],
  ['proto/', SMOKE],
  [
    'deploy/helm/',
    ['deploy/helm/test/deployer-rights.test.ts', 'deploy/helm/test/settings.test.ts'],
  ],
  ['deploy/images/src/', SMOKE],
  ['deploy/kubernetes/', SMOKE],
  ['deploy/local/identity-provider/', ['test/e2e/authentication.test.ts']],
  ['deploy/local/ingress/', ['test/e2e/ingress.test.ts']],
  ['deploy/local/kubernetes/', ['test/e2e/cluster.test.ts', ...SMOKE]],
  ['deploy/local/parts/', SMOKE],
  ['examples/notes-agent/', ['test/e2e/stores.test.ts']],
  ['examples/support-agent/', SMOKE],
  ['test/releases/', ['test/releases/releases.test.ts']],
  [
    'docs/reference/',
    [
      'tools/checks/security-reference.test.ts',
      'test/contract/env-reference.test.ts',
      'test/contract/errors-reference.test.ts',
    ],
  ],
]

/** The tests to run for a set of changed files. */
export interface AffectedTests {
  /**
   * For `vitest related`: changed sources, whose importers it finds, and tests to run in any case.
   */
  readonly related: readonly string[]
  /** Patterns of tests to exclude: a change to a package doesn't run every service's tests. */
  readonly exclude: readonly string[]
  readonly needsStack: boolean
}

const INTEGRATION_FOLDERS = ['packages', 'services', 'examples', 'deploy']

/** The folders that may have integration tests, as `services/catalog`. */
export function workspaceFolders(checkout: string): string[] {
  return INTEGRATION_FOLDERS.flatMap((parent) =>
    readdirSync(join(checkout, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${parent}/${name}`),
  )
}

/** Chooses the tests for changed files, given by their path in the repository. */
export function affectedTests(
  changed: readonly string[],
  folders: readonly string[],
): AffectedTests {
  const sources = changed.filter((path) => path.endsWith('.ts'))
  const stackTests = STACK_TESTS.flatMap(([folder, tests]) =>
    changed.some((path) => path.startsWith(folder) && !isUnitTest(path)) ? tests : [],
  )
  const others = folders.filter((folder) => !changed.some((path) => path.startsWith(`${folder}/`)))
  return {
    related: [...new Set([...sources, ...stackTests])],
    exclude: others.map((folder) => `${folder}/test/**`),
    needsStack: stackTests.length > 0 || sources.some((path) => !isUnitTest(path)),
  }
}

/**
 * Whether a file is a test that needs no server. Tests that need one are in folders called `test`.
 */
function isUnitTest(path: string): boolean {
  return path.endsWith('.test.ts') && !/(^|\/)test\//.test(path)
}
