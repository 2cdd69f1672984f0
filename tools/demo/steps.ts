import { formatDuration, say } from '@slipway/local/progress'

/** Returns a function that runs a step and prints its number, name, time and result. */
export function numberedSteps() {
  let count = 0
  return async function step<Result>(
    name: string,
    run: () => Promise<Result>,
    describe?: (result: Result) => string,
  ): Promise<Result> {
    const start = performance.now()
    const result = await run()
    const duration = formatDuration(performance.now() - start)
    count += 1
    say(`${String(count).padStart(3)}. ${name.padEnd(47)} ${duration.padStart(8)}`)
    const lines = describe?.(result).split('\n') ?? []
    for (const line of lines) say(`       ${line}`)
    return result
  }
}
