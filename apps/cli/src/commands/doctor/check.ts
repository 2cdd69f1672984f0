import type { Static } from 'typebox'

import { describeFailure } from '../../auth/network-failure.ts'
import type { schema } from './result.ts'

/** The result of a check. */
export type Check = Static<typeof schema>['checks'][number]

/** How long one check may take. */
export const CHECK_TIMEOUT_MS = 5_000

export function ok(name: string, detail: string): Check {
  return { name, status: 'ok', detail }
}

export function warning(name: string, detail: string, remedy: string): Check {
  return { name, status: 'warning', detail, remedy }
}

export function failed(name: string, detail: string, remedy: string): Check {
  return { name, status: 'failed', detail, remedy }
}

export function skipped(name: string, reason: string): Check {
  return { name, status: 'skipped', detail: reason }
}

/** Fetches JSON within the time of a check, and returns it with its response. */
export async function fetchJson(
  url: string,
  signal: AbortSignal,
): Promise<{ readonly response: Response; readonly body: unknown }> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]),
  })
  const text = await response.text()
  return { response, body: parsed(text) }
}

/** Says why something failed; passes on the error if Ctrl-C was pressed. */
export function reasonOf(error: unknown, signal: AbortSignal): string {
  signal.throwIfAborted()
  return describeFailure(error)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
