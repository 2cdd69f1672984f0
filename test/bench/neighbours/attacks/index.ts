import type { Attack } from './attack.ts'
import { connections } from './connections.ts'
import { manyRequests } from './many-requests.ts'
import { searches } from './searches.ts'
import { traces } from './traces.ts'

export type { Attacker } from './attack.ts'

/** The attacks by name. */
export const attacks: Readonly<Record<string, Attack>> = {
  ...manyRequests,
  ...connections,
  ...searches,
  ...traces,
}
