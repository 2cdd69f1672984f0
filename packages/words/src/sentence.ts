import type { Schemas } from '@slipway/client'

import { isWell, podsOf } from './pods.ts'

type Deployment = Schemas['Deployment']

/** The state of a deployment in one sentence. */
export function sentence(deployment: Deployment): string {
  const { name, state, reason } = deployment
  const because = reason === undefined ? '' : `: ${reason}`
  const words = {
    ready: () => `${name} is ready: ${readyPods(deployment)}`,
    progressing: () =>
      `${name} is starting: ${readyPods(deployment)}${reason ? `; ${reason}` : ''}`,
    degraded: () => `${name} is degraded${because || `: ${readyPods(deployment)}`}`,
    failed: () => `${name} has failed${because}${stillReady(deployment)}`,
    undeploying: () => `${name} is being undeployed`,
    undeployed: () => `${name} is undeployed`,
  }
  return words[state]()
}

/** Pods of an earlier revision stay until those of the new one are ready. */
function stillReady({ components }: Deployment): string {
  const pods = components.filter(({ state }) => state === 'failed').flatMap((each) => each.pods)
  const earlier = earlierReady(pods)
  if (earlier !== '') return earlier
  const ready = pods.filter((pod) => pod.ready).length
  if (ready === 0) return ''
  return `; ${ready} of ${pods.length} pods still ${ready === 1 ? 'answers' : 'answer'}`
}

function earlierReady(pods: readonly Schemas['Pod'][]): string {
  const ready = pods.filter((pod) => pod.former === true && pod.ready).length
  if (ready === 0) return ''
  const words = ready === 1 ? ['1 pod', 'answers'] : [`${ready} pods`, 'answer']
  return `; ${words[0]} of an earlier revision still ${words[1]}`
}

function readyPods(deployment: Deployment): string {
  const all = podsOf(deployment)
  const current = all.filter(({ former }) => former !== true)
  // Once a deployment is ready, the pods of an earlier revision are ending.
  const pods = deployment.state === 'ready' && current.length > 0 ? current : all
  if (pods.length === 0) return 'it has no pods'
  const isReplacing = current.length < pods.length
  const ready = (isReplacing ? current : pods).filter(isWell).length
  if (isReplacing) return `${ready} of ${current.length} new pods ready${earlierReady(pods)}`
  if (ready === pods.length) return pods.length === 1 ? 'its pod runs' : `all ${ready} pods run`
  return `${ready} of ${pods.length} pods ${ready === 1 ? 'is' : 'are'} ready`
}
