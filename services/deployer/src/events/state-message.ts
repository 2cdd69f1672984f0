import { DeploymentState as StateMessage } from '@slipway/proto/slipway/deployer/v1/deployment'

import type { DeploymentState } from '../domain/states.ts'

const STATES: Readonly<Record<DeploymentState, StateMessage>> = {
  progressing: StateMessage.PROGRESSING,
  ready: StateMessage.READY,
  degraded: StateMessage.DEGRADED,
  failed: StateMessage.FAILED,
  undeploying: StateMessage.UNDEPLOYING,
  undeployed: StateMessage.UNDEPLOYED,
}

/** Converts a state to the enum that events and responses use. */
export function toStateMessage(state: DeploymentState): StateMessage {
  return STATES[state]
}
