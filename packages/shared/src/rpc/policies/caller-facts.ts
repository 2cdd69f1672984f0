import type { Caller } from '../../auth/caller.ts'

/**
 * The fields of a log line that identify the caller; none for an anonymous call. `write` escapes a
 * text for the line.
 */
export function callerFacts(
  caller: Caller | undefined,
  write: (text: string) => string,
): { realm?: string; subject?: string; calling_service?: string } {
  if (caller === undefined) return {}
  if (caller.kind === 'service') return { calling_service: write(caller.name) }
  return { realm: write(caller.realm), subject: write(caller.subject) }
}
