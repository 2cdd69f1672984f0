import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildTool } from '@slipway/local/install/toolchain'
import { say } from '@slipway/local/progress'
import type { StackDirectories } from '@slipway/local/stack/stack'
import { countVitest } from './counts.ts'
import type { TestCounts, VitestReport } from './counts.ts'

/** Runs a command line with variables added to its environment; returns its exit code. */
export type RunCommand = (
  command: readonly string[],
  env: Readonly<Record<string, string>>,
) => Promise<number>

/** A process of vitest. */
export interface VitestProcess {
  readonly args: readonly string[]
  /** Distinguishes processes that run side by side: each has its own ports. 0 (default) or 1. */
  readonly number?: number
  /** How much it steps back for other processes, as for nice(1); default 0. */
  readonly niceness?: number
}

/** Runs vitest and counts its tests; the report is written to `directory`. */
export async function runVitest(
  directories: StackDirectories,
  directory: string,
  { args, number = 0, niceness = 0 }: VitestProcess,
  run: RunCommand,
): Promise<TestCounts> {
  const results = join(mkdtempSync(join(directory, 'vitest-')), 'results.json')
  const command = [
    'nice',
    `--adjustment=${niceness}`,
    ...asCaller(directories),
    process.execPath,
    join(directories.checkout, 'node_modules/vitest/vitest.mjs'),
    ...args,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}`,
  ]
  const natsServer = await buildTool(directories, 'nats-server', say)
  const code = await run(command, {
    NATS_SERVER_BIN: join(natsServer, 'nats-server'),
    SLIPWAY_TEST_PROCESS: String(number),
  })
  const report = readReport(results)
  if (!report) say(`vitest exited with code ${code} without a report`)
  return countVitest(report, code)
}

/** Makes a command line run as the user who called sudo. */
export function asCaller({ owner }: Pick<StackDirectories, 'owner'>): string[] {
  return owner
    ? ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--init-groups', '--']
    : []
}

function readReport(file: string): VitestReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  } catch {
    return undefined
  }
}
