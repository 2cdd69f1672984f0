import type { CorpusRun } from '@slipway/agent-image/corpus'
import { apiToolsFolder } from '@slipway/local/install/api-tools'
import { templatePackagesFolder } from '@slipway/local/install/template-packages'
import { say } from '@slipway/local/progress'
import { readEnvFile } from '@slipway/local/stack/env-file'
import type { StackDirectories } from '@slipway/local/stack/stack'
import { UsageError } from '@slipway/local/usage-error'
import { affectedTests, workspaceFolders } from './affected-tests.ts'
import { changedFiles } from './changed-files.ts'
import { API_DOCUMENT_TEST, FULL, fullTests, LONG, LONG_EFFORT, longTests } from './long-tests.ts'
import { NEED_PROCESSES } from './tests-by-url.ts'
import type { VitestProcess } from './vitest.ts'

/** Tests that build agents from the templates. */
const TEMPLATE_TESTS = [
  'test/e2e/templates.long.test.ts',
  'test/e2e/cli/guides.long.test.ts',
  'test/e2e/cli/journey.long.test.ts',
]

/** The tests of the corpus, which needs its projects in the cache, by run. */
const CORPUS_TESTS = { gate: 'test/e2e/corpus.test.ts', long: 'test/e2e/corpus.long.test.ts' }

/** Processes of vitest that run side by side. */
export type VitestStage = readonly VitestProcess[]

/** The steps of one run of the command. The stages run one after the other. */
export interface Plan {
  readonly checks: boolean
  readonly stages: readonly VitestStage[]
  readonly needsStack: boolean
  readonly needsApiTools?: boolean
  readonly needsTemplatePackages?: boolean
  readonly corpus?: CorpusRun | undefined
  readonly env: Readonly<Record<string, string>>
}

/**
 * All tests. One end-to-end file runs at a time, which leaves much of the CPU to the other tests.
 * Vitest can't run a serial project next to a parallel one, so each has a process. The serial one
 * takes longer, so the other gets less of the CPU.
 */
const STAGES: readonly VitestStage[] = [
  [
    { args: ['run', '--project=e2e'] },
    {
      args: ['run', '--project=integration', '--project=isolated', '--project=unit'],
      number: 1,
      niceness: 5,
    },
  ],
  [{ args: ['run', '--project=alone'] }],
]

/** The gate, or the tests whose path has a filter. */
export function planGate(filters: readonly string[]): Plan {
  if (filters.length === 0)
    return { checks: true, stages: STAGES, needsStack: true, corpus: 'gate', env: {} }
  const stages = [[{ args: ['run', ...filters] }]]
  const corpus = (['long', 'gate'] as const).find((run) =>
    filters.some((filter) => CORPUS_TESTS[run].includes(filter)),
  )
  return { checks: false, stages, needsStack: true, corpus, env: LONG }
}

/** The end-to-end tests against an installation. */
export function planUrl(
  directories: StackDirectories,
  url: string,
  [project, ...filters]: readonly string[],
): Plan {
  if (project !== 'e2e')
    throw new UsageError('--url is for the end-to-end tests: test e2e --url URL')
  if (!URL.canParse(url)) throw new UsageError(`--url: ${url} is not a URL`)
  const running = Object.fromEntries(readEnvFile(directories))
  const env = {
    ...running,
    SLIPWAY_URL: url,
    SLIPWAY_TEST_BY_URL: 'true',
    SLIPWAY_TEST_EXCLUDE: NEED_PROCESSES.join(','),
  }
  const stages = [[{ args: ['run', '--project=e2e', ...filters] }]]
  return { checks: false, stages, needsStack: false, env }
}

/** The long tests, and those with random input. */
export async function planLong(
  directories: StackDirectories,
  filters: readonly string[],
): Promise<Plan> {
  const tests = (await longTests(directories.checkout)).filter(
    (path) => filters.length === 0 || filters.some((filter) => path.includes(filter)),
  )
  if (tests.length === 0)
    throw new UsageError(`no long test has ${filters.join(' or ')} in its path`)
  const needsApiTools = tests.includes(API_DOCUMENT_TEST)
  const needsTemplatePackages = TEMPLATE_TESTS.some((path) => tests.includes(path))
  const corpus = tests.includes(CORPUS_TESTS.long) ? 'long' : undefined
  const env = {
    ...LONG,
    SLIPWAY_TEST_EFFORT: String(LONG_EFFORT),
    ...(needsApiTools ? { SLIPWAY_API_TOOLS: apiToolsFolder(directories) } : {}),
    ...(needsTemplatePackages
      ? { SLIPWAY_TEMPLATE_PACKAGES: templatePackagesFolder(directories) }
      : {}),
  }
  // Not every process has some of these tests.
  const stages = STAGES.map((stage) =>
    stage.map((each) => ({ ...each, args: [...each.args, '--passWithNoTests', ...tests] })),
  )
  const needed = { needsApiTools, needsTemplatePackages, corpus } as const
  return { checks: false, stages, needsStack: true, ...needed, env }
}

/** The tests that need package registries, and then, on a stack, those of what they have built. */
export async function planFull(checkout: string, filters: readonly string[]): Promise<Plan[]> {
  const plans: Plan[] = []
  for (const kind of ['full', 'full-stack'] as const) {
    const tests = (await fullTests(checkout, kind)).filter(
      (path) => filters.length === 0 || filters.some((filter) => path.includes(filter)),
    )
    const stages = tests.length === 0 ? [] : [[{ args: ['run', ...tests] }]]
    plans.push({ checks: false, stages, needsStack: kind === 'full-stack', env: FULL })
  }
  return plans
}

/** The tests that the changes since a revision can affect. */
export async function planChanged(checkout: string, revisions: readonly string[]): Promise<Plan> {
  if (revisions.length > 1) throw new UsageError('--changed takes at most one revision')
  const changed = await changedFiles(checkout, revisions[0])
  const { related, exclude, needsStack } = affectedTests(changed, workspaceFolders(checkout))
  const args = [
    'related',
    '--run',
    '--passWithNoTests',
    ...(needsStack ? [] : ['--project=unit']),
    ...related,
  ]
  const stages = related.length === 0 ? [] : [[{ args }]]
  if (stages.length === 0) say('no test depends on the changed files')
  const env = { SLIPWAY_TEST_EXCLUDE: exclude.join(',') }
  return { checks: false, stages, needsStack, corpus: 'gate', env }
}
