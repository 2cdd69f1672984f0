import { setTimeout } from 'node:timers/promises'

/** Waits this long, or until the signal aborts. */
export async function wait(ms: number, signal: AbortSignal): Promise<undefined> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined)
}
