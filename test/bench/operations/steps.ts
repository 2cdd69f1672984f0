import { setTimeout as delay } from 'node:timers/promises'

import { waitFor } from '@slipway/testing'

import { ENGINE_POD } from './engine.ts'
import { killPod } from './kill.ts'
import {
  autoscale,
  evict,
  helm,
  newImage,
  podsOf,
  scale,
  SERVICES,
  untilReplicas,
  untilSettled,
  upgrade,
} from '../../support/release.ts'
import { sharesOf } from './shares.ts'

/** How long a new replica may take to get its share, and for how long shares are counted. */
const SHARE_AFTER_MS = 30_000
const SHARE_FOR_MS = 20_000
const HOLD_MS = 60_000
/**
 * The gateway's load, in percent of its CPU request, is more than the first and less than the
 * second. A larger request than the chart's leaves no room for three pods on two cores.
 */
const BUSY_PERCENT = 100
const IDLE_PERCENT = 1000

/** What an operator does to a release; reports lines of what was seen. */
export type Step = (say: (line: string) => void) => Promise<void>

/** The steps by name. */
export const steps: Readonly<Record<string, Step>> = {
  images: async () => {
    for (const service of SERVICES) await upgrade(await newImage(service))
  },

  'all images': async () => {
    await upgrade(...(await Promise.all(SERVICES.map(newImage))))
  },

  evictions: async () => {
    for (const service of SERVICES) {
      for (const pod of await podsOf(service)) {
        await evict(pod)
        await waitFor(async () => !(await podsOf(service)).some(isSame(pod)), {
          what: `the end of ${pod.metadata.name}`,
        })
        await untilSettled()
      }
    }
  },

  setting: async () => {
    const value = `--set-string=gateway.env[0].value=${Date.now()}`
    await upgrade('--set=gateway.env[0].name=BENCH_RUN', value)
  },

  rollback: async () => {
    await helm('rollback', '--wait', '--timeout=5m')
    await untilSettled()
  },

  scaling: async (say) => {
    for (const service of SERVICES) {
      for (const replicas of [1, 3]) await scale(service, replicas)
      await delay(SHARE_AFTER_MS)
      const shares = await sharesOf(service, SHARE_FOR_MS)
      say(`${service}: ${shares.map((share) => `${Math.round(share * 100)}%`).join(' ')}`)
      for (const replicas of [1, 2]) await scale(service, replicas)
    }
  },

  autoscaling: async (say) => {
    for (const [percent, replicas] of [
      [BUSY_PERCENT, 3],
      [IDLE_PERCENT, 1],
    ] as const) {
      await autoscale('gateway', { percent, from: 1, to: 3 })
      await untilReplicas('gateway', replicas)
      say(`${replicas} replicas of the gateway`)
    }
    await upgrade('--set=gateway.autoscaling.enabled=false')
  },

  hold: async () => {
    await delay(HOLD_MS)
  },

  kills: async (say) => {
    for (const pod of ['slipway-postgres-0', 'slipway-nats-0', ENGINE_POD]) {
      say(`${pod}: ready again after ${(await killPod(pod)) / 1000} s`)
      await delay(SHARE_AFTER_MS)
    }
  },
}

function isSame(pod: { readonly metadata: { readonly uid?: string } }) {
  return (other: typeof pod) => other.metadata.uid === pod.metadata.uid
}
