import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readEnvFile } from '../stack/env-file.ts'
import { runAsRoot } from '../process/privileges.ts'
import { say, step } from '../progress.ts'
import { stackDirectories } from '../stack/stack.ts'
import type { StackDirectories } from '../stack/stack.ts'
import { addCounts, countVitest, summaryLine } from '../test-run/counts.ts'
import type { TestCounts, VitestReport } from '../test-run/counts.ts'
import { cleanEnvironment } from '../test-run/environment.ts'
import { Interrupted, InterruptibleRunner, runToTheEnd } from '../test-run/interruptible.ts'
import { makeNetworkNamespace } from '../test-run/network-namespace.ts'
import type { NetworkNamespace } from '../test-run/network-namespace.ts'
import { prepareEverything } from '../test-run/prepare.ts'
import { buildTool } from '../install/toolchain.ts'
import { runStaticChecks } from './check.ts'

/**
 * `test [FILTER]`: all checks and tests on a stack of their own, in a network namespace, gone at
 * the end.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { positionals } = parseArgs({
    args: [...args],
    options: {},
    strict: true,
    allowPositionals: true,
  })
  const asRoot = runAsRoot(['test', ...args])
  if (asRoot !== undefined) return asRoot
  const directories = stackDirectories()
  using runner = new InterruptibleRunner()
  try {
    await prepareEverything(directories)
    runner.check()
    const counts: TestCounts[] = []
    if (positionals.length === 0)
      counts.push({ ...(await runStaticChecks(directories.checkout)), skipped: 0 })
    runner.check()
    counts.push(await runOnOwnStack(runner, directories, positionals))
    const total = addCounts(counts)
    console.log(summaryLine(total))
    return total.failed === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    say(error.message)
    return error.exitCode
  }
}

async function runOnOwnStack(
  runner: InterruptibleRunner,
  directories: StackDirectories,
  filters: readonly string[],
) {
  // Everything that the stack keeps comes after the state directory: run directory, cgroup, ports
  // by the namespace.
  const temporary = mkdtempSync(join(tmpdir(), 'slipway-test-'))
  giveToCaller(directories, temporary)
  const run: TestRun = {
    checkout: directories.checkout,
    temporary,
    stateDir: join(temporary, 'state'),
    env: { ...cleanEnvironment(process.env), SLIPWAY_STATE_DIR: join(temporary, 'state') },
    namespace: await makeNetworkNamespace(),
  }
  let counts: TestCounts = { passed: 0, failed: 1, skipped: 0 }
  try {
    say('starting a stack for the tests')
    const code = await runner.run(slipway(run, 'up'), { env: run.env, cwd: run.checkout })
    if (code === 0) counts = await runVitest(runner, directories, run, filters)
    return counts
  } finally {
    if (counts.failed > 0 && !runner.isInterrupted) keepLogs(run)
    await step('take the tests’ stack down', async () => {
      await runToTheEnd(slipway(run, 'down', '--purge'), run.env)
      await run.namespace.close()
      rmSync(temporary, { recursive: true, force: true })
    })
  }
}

interface TestRun {
  readonly checkout: string
  readonly temporary: string
  readonly stateDir: string
  readonly env: NodeJS.ProcessEnv
  readonly namespace: NetworkNamespace
}

function slipway(run: TestRun, ...args: readonly string[]): string[] {
  return run.namespace.enter([
    process.execPath,
    join(run.checkout, 'deploy/local/main.ts'),
    ...args,
  ])
}

async function runVitest(
  runner: InterruptibleRunner,
  directories: StackDirectories,
  run: TestRun,
  filters: readonly string[],
): Promise<TestCounts> {
  const results = join(run.temporary, 'results.json')
  const vitest = join(run.checkout, 'node_modules/vitest/vitest.mjs')
  const args = [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}`,
    ...filters,
  ]
  const natsServer = join(await buildTool(directories, 'nats-server', say), 'nats-server')
  const { runDir } = stackDirectories(run.env)
  const stackEnv = Object.fromEntries(readEnvFile(run))
  const env = { ...run.env, ...stackEnv, NATS_SERVER_BIN: natsServer, SLIPWAY_LOG_DIR: runDir }
  const command = run.namespace.enter([...asCaller(directories), process.execPath, vitest, ...args])
  const code = await runner.run(command, { env, cwd: run.checkout })
  const report = readReport(results)
  if (!report) say(`vitest ended with exit code ${code} and left no report`)
  return countVitest(report, code)
}

// Under sudo the tests, like everything but the cluster, are the caller's.
function asCaller({ owner }: StackDirectories): string[] {
  return owner
    ? ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--init-groups', '--']
    : []
}

function giveToCaller({ owner }: StackDirectories, directory: string): void {
  chmodSync(directory, 0o755)
  if (owner) chownSync(directory, owner.uid, owner.gid)
}

function keepLogs(run: TestRun): void {
  const { runDir } = stackDirectories(run.env)
  if (!existsSync(runDir)) return
  const kept = mkdtempSync(join(tmpdir(), 'slipway-test-logs-'))
  for (const name of readdirSync(runDir).filter((file) => file.endsWith('.log'))) {
    copyFileSync(join(runDir, name), join(kept, name))
  }
  say(`the logs of the stack's processes are in ${kept}`)
}

function readReport(file: string): VitestReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  } catch {
    return undefined
  }
}
