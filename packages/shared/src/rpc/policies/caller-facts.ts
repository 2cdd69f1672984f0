import type { Caller } from '../../auth/caller.ts'

/**
 * Who made a call, as its log line names them; nothing for an anonymous call. `write` makes each
 * text fit for the line.
 */
export function callerFacts(
  caller: Caller | undefined,
  write: (text: string) => string,
): { realm?: string; subject?: string; callingService?: string } {
  if (caller === undefined) return {}
  if (caller.kind === 'service') return { callingService: write(caller.name) }
  return { realm: write(caller.realm), subject: write(caller.subject) }
}
