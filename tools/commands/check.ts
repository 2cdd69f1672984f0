import { parseArgs } from 'node:util'
import { staticChecks } from '../checks/static-checks.ts'
import { formatDuration, say } from '@slipway/local/progress'
import { stackDirectories } from '@slipway/local/stack/stack'

/** How many checks passed and failed. */
export interface CheckSummary {
  readonly passed: number
  readonly failed: number
}

/** `check`: runs all static checks, even after one has failed. */
export async function run(args: readonly string[]): Promise<number> {
  parseArgs({ args: [...args], options: {}, strict: true })
  const { passed, failed } = await runStaticChecks(stackDirectories().checkout)
  say(
    failed === 0 ? `all ${passed} checks passed` : `${failed} of ${passed + failed} checks failed`,
  )
  return failed === 0 ? 0 : 1
}

/**
 * Runs the checks one after the other and prints the time and the problems of each. Starts no
 * further check once `isInterrupted`.
 */
export async function runStaticChecks(
  checkout: string,
  isInterrupted: () => boolean = () => false,
): Promise<CheckSummary> {
  let failed = 0
  for (const check of staticChecks) {
    if (isInterrupted()) break
    const start = performance.now()
    const problem = await check.run(checkout)
    const mark = problem === undefined ? '✓' : '✗'
    say(`  ${mark} ${check.name.padEnd(40)} ${formatDuration(performance.now() - start)}`)
    if (problem === undefined) continue
    failed += 1
    say(problem.replaceAll(/^/gm, '      '))
  }
  return { passed: staticChecks.length - failed, failed }
}
