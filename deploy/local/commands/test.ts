import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runAsRoot } from '../process/privileges.ts'
import { say } from '../progress.ts'
import { readEnvFile } from '../stack/env-file.ts'
import { stackDirectories } from '../stack/stack.ts'
import type { StackDirectories } from '../stack/stack.ts'
import { apiToolsFolder } from '../install/api-tools.ts'
import { templatePackagesFolder } from '../install/template-packages.ts'
import { affectedTests, workspaceFolders } from '../test-run/affected-tests.ts'
import { changedFiles } from '../test-run/changed-files.ts'
import { addCounts, summaryLine } from '../test-run/counts.ts'
import type { TestCounts } from '../test-run/counts.ts'
import { testEnvironment } from '../test-run/environment.ts'
import { Interrupted, InterruptibleRunner } from '../test-run/interruptible.ts'
import {
  API_DOCUMENT_TEST,
  FULL,
  fullTests,
  LONG,
  LONG_EFFORT,
  longTests,
} from '../test-run/long-tests.ts'
import { prepareEverything } from '../test-run/prepare.ts'
import { runDirectory } from '../test-run/run-directory.ts'
import { TestStack } from '../test-run/test-stack.ts'
import { NEED_PROCESSES } from '../test-run/tests-by-url.ts'
import { runVitest } from '../test-run/vitest.ts'
import type { RunCommand, VitestProcess } from '../test-run/vitest.ts'
import { UsageError } from '../usage-error.ts'
import { runStaticChecks } from './check.ts'

/** Tests that build agents from the templates. */
const TEMPLATE_TESTS = ['test/e2e/templates.long.test.ts', 'test/e2e/cli/journey.long.test.ts']

/** Processes of vitest that run side by side. */
type VitestStage = readonly VitestProcess[]

/** The steps of one run of the command. The stages run one after the other. */
interface Plan {
  readonly checks: boolean
  readonly stages: readonly VitestStage[]
  readonly needsStack: boolean
  readonly needsApiTools?: boolean
  readonly needsTemplatePackages?: boolean
  readonly env: Readonly<Record<string, string>>
}

/**
 * `test`: the static checks, and all tests but the long ones. `test FILTER…`: the tests whose path
 * has a FILTER. `test --long`: the long tests, and those with random input ten times as often.
 * `test --full`: the tests that need package registries, without a stack. `test --changed [REV]`:
 * the tests that the changes since REV can affect, without the long ones.
 * Each of the others has a separate stack, which is gone at the end. `test e2e --url URL`: the
 * end-to-end tests against an installation in the stack's cluster.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      long: { type: 'boolean' },
      full: { type: 'boolean' },
      changed: { type: 'boolean' },
      url: { type: 'string' },
    },
    strict: true,
    allowPositionals: true,
  })
  if ([values.long, values.full, values.changed].filter(Boolean).length > 1)
    throw new UsageError("--long, --full and --changed can't be used together")
  const asRoot = runAsRoot(['test', ...args])
  if (asRoot !== undefined) return asRoot
  const directories = stackDirectories()
  const { checkout } = directories
  const plan =
    values.url !== undefined
      ? planUrl(directories, values.url, positionals)
      : values.changed
        ? await planChanged(checkout, positionals)
        : values.long
          ? await planLong(directories, positionals)
          : values.full
            ? await planFull(checkout, positionals)
            : planGate(positionals)
  using runner = new InterruptibleRunner()
  try {
    const total = addCounts(await executePlan(runner, directories, plan))
    console.log(summaryLine(total))
    return total.failed === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    say(error.message)
    return error.exitCode
  }
}

/**
 * One end-to-end file runs at a time, which leaves much of the CPU to the other tests. Vitest can't
 * run a serial project next to a parallel one, so each has a process. The serial one takes longer,
 * so the other gets less of the CPU.
 */
const GATE: readonly VitestStage[] = [
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

function planGate(filters: readonly string[]): Plan {
  if (filters.length === 0) return { checks: true, stages: GATE, needsStack: true, env: {} }
  const stages = [[{ args: ['run', ...filters] }]]
  return { checks: false, stages, needsStack: true, env: LONG }
}

function planUrl(
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

async function planLong(directories: StackDirectories, filters: readonly string[]): Promise<Plan> {
  const tests = (await longTests(directories.checkout)).filter(
    (path) => filters.length === 0 || filters.some((filter) => path.includes(filter)),
  )
  const needsApiTools = tests.includes(API_DOCUMENT_TEST)
  const needsTemplatePackages = TEMPLATE_TESTS.some((path) => tests.includes(path))
  const env = {
    ...LONG,
    SLIPWAY_TEST_EFFORT: String(LONG_EFFORT),
    ...(needsApiTools ? { SLIPWAY_API_TOOLS: apiToolsFolder(directories) } : {}),
    ...(needsTemplatePackages
      ? { SLIPWAY_TEMPLATE_PACKAGES: templatePackagesFolder(directories) }
      : {}),
  }
  const stages = [[{ args: ['run', ...tests] }]]
  return { checks: false, stages, needsStack: true, needsApiTools, needsTemplatePackages, env }
}

async function planFull(checkout: string, filters: readonly string[]): Promise<Plan> {
  const tests = (await fullTests(checkout)).filter(
    (path) => filters.length === 0 || filters.some((filter) => path.includes(filter)),
  )
  return { checks: false, stages: [[{ args: ['run', ...tests] }]], needsStack: false, env: FULL }
}

async function planChanged(checkout: string, revisions: readonly string[]): Promise<Plan> {
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
  return { checks: false, stages, needsStack, env }
}

async function executePlan(
  runner: InterruptibleRunner,
  directories: StackDirectories,
  plan: Plan,
): Promise<TestCounts[]> {
  if (plan.stages.length === 0) return []
  if (!plan.needsStack) return await runWithoutStack(runner, directories, plan)
  await prepareEverything(directories, plan)
  runner.check()
  // The checks use the CPU while the stack starts and the first tests wait.
  const checks = plan.checks
    ? runStaticChecks(directories.checkout, () => runner.isInterrupted)
    : undefined
  const [counts, checked] = await Promise.all([runOnStack(runner, directories, plan), checks])
  return checked === undefined ? counts : [...counts, { ...checked, skipped: 0 }]
}

async function runOnStack(
  runner: InterruptibleRunner,
  directories: StackDirectories,
  { stages, env }: Plan,
): Promise<TestCounts[]> {
  const stack = await TestStack.prepare(directories)
  let counts: TestCounts[] = [{ passed: 0, failed: 1, skipped: 0 }]
  try {
    say('starting a stack for the tests')
    if (await stack.up(runner)) {
      const run: RunCommand = async (command, own) =>
        await stack.run(runner, command, { ...own, ...env })
      counts = await runStages(stages, (each) => runVitest(directories, stack.directory, each, run))
    }
    return counts
  } finally {
    if (counts.some(({ failed }) => failed > 0) && !runner.isInterrupted) stack.keepLogs()
    await stack.down()
  }
}

async function runStages(
  stages: readonly VitestStage[],
  run: (process: VitestProcess) => Promise<TestCounts>,
): Promise<TestCounts[]> {
  const counts: TestCounts[] = []
  for (const stage of stages) counts.push(...(await Promise.all(stage.map(run))))
  return counts
}

async function runWithoutStack(
  runner: InterruptibleRunner,
  directories: StackDirectories,
  { stages, env }: Plan,
): Promise<TestCounts[]> {
  const directory = runDirectory(directories)
  const run: RunCommand = async (command, own) => {
    const options = { env: { ...testEnvironment(directories), ...own, ...env } }
    return await runner.run(command, { ...options, cwd: directories.checkout })
  }
  try {
    return await runStages(stages, (each) => runVitest(directories, directory, each, run))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
