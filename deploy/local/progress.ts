import type { PartReport } from './stack/part.ts'

/**
 * Says something to the person at the terminal: stderr, so that stdout keeps what a command was
 * asked for.
 */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** A duration as people read it: `0.3 s`, `12 s`, `2 m 10 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  return `${Math.floor(whole / 60)} m ${String(whole % 60).padStart(2, '0')} s`
}

/** Runs one step and tells when it was done and how long it took. */
export async function step<T>(what: string, run: () => Promise<T>): Promise<T> {
  const start = performance.now()
  try {
    const result = await run()
    say(`  ✓ ${what.padEnd(40)} ${formatDuration(performance.now() - start)}`)
    return result
  } catch (error) {
    say(`  ✗ ${what.padEnd(40)} ${formatDuration(performance.now() - start)}`)
    throw error
  }
}

/**
 * Tells how the parts come up: one line for each with its time, and now and then what a long one is
 * doing.
 */
export function partReport(): PartReport {
  const told = new Map<string, { subject: string; time: number }>()
  const line = (mark: string, part: string, text: string) =>
    say(`  ${mark} ${part.padEnd(20)} ${text}`)
  return {
    log(part, text) {
      const subject = text.split(':')[0] ?? ''
      const last = told.get(part)
      if (last?.subject === subject && performance.now() - last.time < 15_000) return
      told.set(part, { subject, time: performance.now() })
      line('…', part, text)
    },
    done: (part, milliseconds) => line('✓', part, formatDuration(milliseconds)),
    failed: (part, failure) =>
      line('✗', part, failure instanceof Error ? failure.message : String(failure)),
  }
}
