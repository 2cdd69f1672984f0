/**
 * Writes one JSON line. The event's name comes first, so that a glance at `logs` tells what
 * happened.
 */
export function log(
  level: 'info' | 'warn' | 'error',
  event: string,
  fields: Record<string, unknown> = {},
): void {
  process.stdout.write(
    `${JSON.stringify({ event, level, time: new Date().toISOString(), ...fields })}\n`,
  )
}
