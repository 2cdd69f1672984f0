import type { PartReport } from './stack/part.ts'

/** Prints a line for the user, on stderr, because stdout is for a command's result. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Formats a duration for humans: `0.3 s`, `12 s`, `2 m 10 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  return `${Math.floor(whole / 60)} m ${String(whole % 60).padStart(2, '0')} s`
}

/** Runs one step, then prints its name, whether it worked and how long it took. */
export async function step<T>(name: string, run: () => Promise<T>): Promise<T> {
  const start = performance.now()
  try {
    const result = await run()
    say(`  ✓ ${name.padEnd(40)} ${formatDuration(performance.now() - start)}`)
    return result
  } catch (error) {
    say(`  ✗ ${name.padEnd(40)} ${formatDuration(performance.now() - start)}`)
    throw error
  }
}

/**
 * Prints the progress of parts that start: one line with its time for each, and every 15 seconds
 * what a slow one is doing.
 */
export function partReport(): PartReport {
  const lastPrinted = new Map<string, { subject: string; time: number }>()
  const line = (mark: string, part: string, text: string) =>
    say(`  ${mark} ${part.padEnd(20)} ${text}`)
  return {
    log(part, text) {
      const subject = text.split(':')[0] ?? ''
      const last = lastPrinted.get(part)
      if (last?.subject === subject && performance.now() - last.time < 15_000) return
      lastPrinted.set(part, { subject, time: performance.now() })
      line('…', part, text)
    },
    done: (part, milliseconds) => line('✓', part, formatDuration(milliseconds)),
    failed: (part, failure) =>
      line('✗', part, failure instanceof Error ? failure.message : String(failure)),
  }
}
