import { DeploymentState as StateMessage } from '@slipway/proto/slipway/deployer/v1/deployment'

import type { DeploymentState } from './domain/states.ts'

const STATES: Readonly<Record<DeploymentState, StateMessage>> = {
  progressing: StateMessage.PROGRESSING,
  ready: StateMessage.READY,
  degraded: StateMessage.DEGRADED,
  failed: StateMessage.FAILED,
  undeploying: StateMessage.UNDEPLOYING,
  undeployed: StateMessage.UNDEPLOYED,
}

/** A state as the protos of events and answers have it. */
export function toStateMessage(state: DeploymentState): StateMessage {
  return STATES[state]
}
