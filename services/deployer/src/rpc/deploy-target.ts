import type { DeployTarget as DeployTargetMessage } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import type { FieldViolation } from '@slipway/shared/errors'
import type { DeployRequestValues, JsonValue } from '@slipway/agent-spec'

import { missingFields, refuseViolations } from '../domain/request-checks.ts'

/** A request's target, checked for its shape. */
export interface RequestedTarget {
  readonly account: string
  readonly agent: string
  /** Empty when the account deploys its own agent. */
  readonly sourceAccount: string
  readonly values: DeployRequestValues
}

/** Reads the target of a deploy or a validation; InvalidInput when its shape is wrong. */
export function readTarget(message: DeployTargetMessage | undefined): RequestedTarget {
  const { account = '', name = '', sourceAccount = '', overridesJson = '' } = message ?? {}
  const violations: FieldViolation[] = missingFields({ account, name })
  const overrides = readOverrides(overridesJson, violations)
  refuseViolations(violations)
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

function readOverrides(
  text: string,
  violations: FieldViolation[],
): Record<string, JsonValue> | undefined {
  if (text === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, JsonValue>
  } catch {
    // Reported like any other value that is no object.
  }
  violations.push({ field: 'overrides', description: 'must be a JSON object' })
  return undefined
}
