import { setTimeout as delay } from 'node:timers/promises'

import type { Deployed, Person } from '../people.ts'
import type { NeighboursSystem } from '../system.ts'

/** What an attacker has: a user with several accounts, each with a deployment. */
export interface Attacker {
  readonly system: Pick<NeighboursSystem, 'gatewayUrl' | 'otlpUrl' | 'otlpGrpcUrl'>
  readonly person: Person
  readonly deployed: readonly Deployed[]
}

/** Never returns. */
export type Attack = (attacker: Attacker) => Promise<void>

/**
 * Pause of a loop after each request. Refused requests return at once, and the attacker shares the
 * processors with the services.
 */
const PAUSE_MS = 100
/** How long a response stays open, unread. */
export const UNREAD_MS = 15_000

/** Runs loops side by side. */
export async function repeat(
  loops: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: loops }, async (_, index) => {
      for (;;) {
        await work(index).catch(() => {})
        await delay(PAUSE_MS)
      }
    }),
  )
}
