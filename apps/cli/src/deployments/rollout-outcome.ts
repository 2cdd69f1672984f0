import type { Schemas } from '@slipway/client'

/** How a rollout has ended, and why if it isn't ready. */
export interface Outcome {
  readonly status: 'ready' | 'failed'
  readonly why?: string
}

type State = Pick<Schemas['Deployment'], 'state' | 'reason' | 'revision'> & {
  readonly components: readonly Pick<Schemas['Component'], 'state'>[]
}

/** How the rollout of a revision has ended. Undefined while it goes on. */
export function outcomeOf(deployment: State, revision: number): Outcome | undefined {
  const { state, reason = '' } = deployment
  if (state === 'undeploying' || state === 'undeployed')
    return { status: 'failed', why: 'the agent is being undeployed' }
  if (deployment.revision > revision)
    return { status: 'failed', why: `it was replaced by revision ${deployment.revision}` }
  if (state === 'failed') return failed(reason)
  if (deployment.revision < revision) return undefined
  if (state === 'ready') return { status: 'ready' }
  // All pods are ready, but the cluster has rejected an object, or a run of an ingestion has
  // failed: waiting won't help.
  const isSettled = deployment.components.every((each) => ['ready', 'failed'].includes(each.state))
  return state === 'degraded' && isSettled ? failed(reason) : undefined
}

function failed(reason: string): Outcome {
  return { status: 'failed', ...(reason !== '' && { why: reason }) }
}
