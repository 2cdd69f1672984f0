/** Writes one JSON line, the event's name first. */
export function log(
  level: 'info' | 'warn' | 'error',
  event: string,
  fields: Record<string, unknown> = {},
): void {
  process.stdout.write(
    `${JSON.stringify({ event, level, time: new Date().toISOString(), ...fields })}\n`,
  )
}
