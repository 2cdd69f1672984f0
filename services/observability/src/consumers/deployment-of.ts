import type { DeploymentRef, Event } from '@slipway/proto/slipway/events/v1/event'

/** What a deployment event tells of its deployment. */
export interface DeploymentFact {
  readonly deployment: DeploymentRef
  /** False once an undeploy was accepted. */
  readonly isLive: boolean
}

/**
 * The fact in an event; undefined for events about other things, and for kinds that this version
 * doesn't know.
 */
export function deploymentOf({ payload }: Event): DeploymentFact | undefined {
  if (
    payload.case === undefined ||
    !('deployment' in payload.value) ||
    payload.value.deployment === undefined
  ) {
    return undefined
  }
  const isLive = payload.case !== 'undeployRequested' && payload.case !== 'undeployed'
  return { deployment: payload.value.deployment, isLive }
}
