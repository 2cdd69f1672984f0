/** Why a request has no answer. */
export type Failure = 'reset' | 'refused' | 'timeout' | 'broken'

/** An answer, or why there is none. */
export type Outcome =
  | { readonly status: number; readonly body: unknown; readonly retryAfterMs?: number }
  | { readonly failure: Failure; readonly detail: string }

const RESET = /ECONNRESET|EPIPE|ECONNABORTED|socket hang up|connection dropped|GOAWAY|RST_STREAM/i
const REFUSED = /ECONNREFUSED/

/** Classifies the message of an error, which contains the code of the system. */
export function failureOf(detail: string): Outcome {
  if (REFUSED.test(detail)) return { failure: 'refused', detail }
  return { failure: RESET.test(detail) ? 'reset' : 'broken', detail }
}

/** Whether an answer acknowledges the request. */
export function isAcknowledged(outcome: Outcome): boolean {
  return 'status' in outcome && outcome.status >= 200 && outcome.status < 300
}

/** What a wait for a rollout that ended early says: the deploy goes on. */
export function isCutWait(outcome: Outcome): boolean {
  if (!('status' in outcome) || outcome.status !== 207) return false
  const { rollout } = outcome.body as { readonly rollout?: { readonly state?: string } }
  return rollout?.state === 'progressing'
}

/** A short name of what is wrong, for example `503 unavailable`; undefined if nothing is. */
export function problemOf(outcome: Outcome): string | undefined {
  if ('failure' in outcome) return outcome.failure
  if (outcome.status === 207 && !isCutWait(outcome)) return '207 partial'
  if (isAcknowledged(outcome)) return undefined
  const { code } = (outcome.body ?? {}) as { readonly code?: unknown }
  return `${outcome.status}${typeof code === 'string' ? ` ${code}` : ''}`
}
