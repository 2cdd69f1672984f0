import type { DeployRequestValues, JsonValue } from '@slipway/agent-spec'
import type { DeployTarget as DeployTargetMessage } from '@slipway/proto/slipway/deployer/v1/deploy_target'
import { Violations } from '@slipway/shared/errors'

/** The target of a request, with a valid shape. */
export interface RequestedTarget {
  readonly account: string
  readonly agent: string
  /** Empty when the account deploys its own agent. */
  readonly sourceAccount: string
  readonly values: DeployRequestValues
}

/** Reads the target of a deploy or validation. Throws InvalidInput when its shape is invalid. */
export function readTarget(message: DeployTargetMessage | undefined): RequestedTarget {
  const { account = '', name = '', sourceAccount = '', overridesJson = '' } = message ?? {}
  const overrides = overridesJson === '' ? undefined : parseObject(overridesJson)
  new Violations()
    .requireFilled({ account, name })
    .require(overrides !== null, 'overrides', 'must be a JSON object')
    .throwIfAny()
  return {
    account,
    agent: name,
    sourceAccount: sourceAccount === account ? '' : sourceAccount,
    values: {
      userCredentials: { ...message?.userCredentials },
      ...(message?.interfaces && { interfaces: [...message.interfaces.names] }),
      ...(message?.schedules && { schedules: { ...message.schedules.schedules } }),
      ...(overrides && { overrides }),
    },
  }
}

/** Parses a JSON object; null for any other text. */
function parseObject(text: string): Record<string, JsonValue> | null {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, JsonValue>) : null
  } catch {
    return null
  }
}
