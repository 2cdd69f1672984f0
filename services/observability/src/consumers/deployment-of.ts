import type { DeploymentRef, Event } from '@slipway/proto/slipway/events/v1/event'

/** The facts about a deployment in one of its events. */
export interface DeploymentFact {
  readonly deployment: DeploymentRef
  /** False once an undeploy has been accepted. */
  readonly isLive: boolean
}

/**
 * Reads the facts about a deployment from an event; undefined for other events and for kinds that
 * this version doesn't know.
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
