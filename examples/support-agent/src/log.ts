/** Writes one JSON line. The event's name is its first field, which makes logs easy to read. */
export function log(
  level: 'info' | 'warn' | 'error',
  event: string,
  fields: Record<string, unknown> = {},
): void {
  process.stdout.write(
    `${JSON.stringify({ event, level, time: new Date().toISOString(), ...fields })}\n`,
  )
}
