import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runAsRoot } from '@slipway/local/process/privileges'
import { say } from '@slipway/local/progress'
import { stackDirectories } from '@slipway/local/stack/stack'
import type { StackDirectories } from '@slipway/local/stack/stack'
import { addCounts, summaryLine } from '../test-run/counts.ts'
import type { TestCounts } from '../test-run/counts.ts'
import { testEnvironment } from '../test-run/environment.ts'
import { Interrupted, InterruptibleRunner } from '../test-run/interruptible.ts'
import {
  planChanged,
  planFull,
  planGate,
  planLong,
  planUrl,
  type Plan,
  type VitestStage,
} from '../test-run/plan.ts'
import { prepareEverything } from '../test-run/prepare.ts'
import { runDirectory } from '../test-run/run-directory.ts'
import { TestStack } from '../test-run/test-stack.ts'
import { runVitest } from '../test-run/vitest.ts'
import type { RunCommand, VitestProcess } from '../test-run/vitest.ts'
import { UsageError } from '@slipway/local/usage-error'
import { runStaticChecks } from './check.ts'

/**
 * `test`: the static checks, and all tests but the long ones. `test FILTER…`: the tests whose path
 * has a FILTER. `test --long`: the long tests, and those with random input ten times as often.
 * `test --full`: the tests that need package registries, without a stack, and then those that run
 * what these have built. `test --changed [REV]`: the tests that the changes since REV can affect,
 * without the long ones.
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
  const plans =
    values.url !== undefined
      ? [planUrl(directories, values.url, positionals)]
      : values.changed
        ? [await planChanged(checkout, positionals)]
        : values.long
          ? [await planLong(directories, positionals)]
          : values.full
            ? await planFull(checkout, positionals)
            : [planGate(positionals)]
  using runner = new InterruptibleRunner()
  try {
    const counts: TestCounts[] = []
    for (const plan of plans) counts.push(...(await executePlan(runner, directories, plan)))
    const total = addCounts(counts)
    console.log(summaryLine(total))
    return total.failed === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    say(error.message)
    return error.exitCode
  }
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
