import { readdirSync, readFileSync } from 'node:fs'

import { waitFor } from '@slipway/testing'

import { find } from '../../support/cluster.ts'
import { NAMESPACE, type PodAtAddress } from '../../support/release.ts'

/** The program that holds the namespaces of a pod, which has no part in what its containers do. */
const PAUSE = 'pause'

interface Killed extends PodAtAddress {
  readonly status: PodAtAddress['status'] & {
    readonly containerStatuses?: { readonly ready: boolean; readonly restartCount: number }[]
  }
}

/** Ends the processes of a pod with SIGKILL. Returns how long it was not ready, in ms. */
export async function killPod(name: string): Promise<number> {
  const path = `/api/v1/namespaces/${NAMESPACE}/pods/${name}`
  const pod = await find<Killed>(path)
  if (pod === undefined) throw new Error(`there is no pod ${name}`)
  const restarts = restartsOf(pod)
  const startedAt = performance.now()
  for (const pid of processesOf(pod.metadata.uid)) process.kill(pid, 'SIGKILL')
  await waitFor(
    async () => {
      const now = await find<Killed>(path)
      const isReady = now?.status.containerStatuses?.every(({ ready }) => ready)
      return now !== undefined && restartsOf(now) > restarts && isReady
    },
    { what: `${name} to be ready again`, timeoutMs: 300_000 },
  )
  return Math.round(performance.now() - startedAt)
}

function restartsOf({ status }: Killed): number {
  return (status.containerStatuses ?? []).reduce((sum, each) => sum + each.restartCount, 0)
}

/** The processes of the containers of a pod, which run on this machine. */
function processesOf(uid: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        const isOfPod = readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(`pod${uid}`)
        return isOfPod && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== PAUSE
      } catch {
        // It has ended meanwhile.
        return false
      }
    })
    .map(Number)
}
