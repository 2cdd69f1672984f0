import { DEPLOY_LIMITS, type JsonValue } from '@slipway/agent-spec'
import type { DeployTarget } from '@slipway/proto/slipway/deployer/v1/deploy_target'
import { Violations } from '@slipway/shared/errors'

import type { RequestedDeploy } from '../plan/prepare-deploy.ts'

/**
 * Reads the target of a deploy or validation. Throws InvalidInput when its shape is invalid or it
 * exceeds DEPLOY_LIMITS.
 */
export function readTarget(message: DeployTarget | undefined): Omit<RequestedDeploy, 'accountId'> {
  const { account = '', name = '', sourceAccount = '', overridesJson = '' } = message ?? {}
  const { buildId = '', version = '', sourceAccountId = '' } = message ?? {}
  const violations = new Violations().requireFilled({ account, name })
  requireFewEntries(message, violations)
  const overrides = readOverrides(overridesJson, violations)
  violations.throwIfAny()
  return {
    account,
    agent: name,
    sourceAccount: sourceAccount === account ? '' : sourceAccount,
    sourceAccountId,
    buildId,
    version,
    values: {
      userCredentials: { ...message?.userCredentials },
      ...(message?.interfaces && { interfaces: [...message.interfaces.names] }),
      ...(message?.schedules && { schedules: { ...message.schedules.schedules } }),
      ...(overrides && { overrides }),
    },
    strict: message?.strict === true,
  }
}

function requireFewEntries(message: DeployTarget | undefined, violations: Violations): void {
  const counts = {
    user_credentials: [Object.keys(message?.userCredentials ?? {}), DEPLOY_LIMITS.credentials],
    interfaces: [message?.interfaces?.names ?? [], DEPLOY_LIMITS.interfaces],
    schedules: [Object.keys(message?.schedules?.schedules ?? {}), DEPLOY_LIMITS.schedules],
  } as const
  for (const [field, [{ length }, limit]] of Object.entries(counts))
    violations.require(length <= limit, field, `must have at most ${limit} entries, not ${length}`)
}

function readOverrides(
  text: string,
  violations: Violations,
): Record<string, JsonValue> | undefined {
  if (text === '') return undefined
  const problem = (description: string) => {
    violations.require(false, 'overrides', description)
    return undefined
  }
  const { overrideBytes, overrides: most, overrideValues } = DEPLOY_LIMITS
  if (Buffer.byteLength(text) > overrideBytes)
    return problem(`must have at most ${overrideBytes} bytes`)
  const overrides = parseObject(text)
  if (overrides === undefined) return problem('must be a JSON object')
  const count = Object.keys(overrides).length
  if (count > most) return problem(`must have at most ${most} entries, not ${count}`)
  if (hasMoreValues(overrides, overrideValues)) {
    const scope = 'including those inside mappings and lists'
    return problem(`must have at most ${overrideValues} values, ${scope}`)
  }
  return overrides
}

/** Parses a JSON object; undefined for any other text. */
function parseObject(text: string): Record<string, JsonValue> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, JsonValue>) : undefined
  } catch {
    return undefined
  }
}

/** Whether there are more than `limit` values below this one. Not recursive: they may be deep. */
function hasMoreValues(root: JsonValue, limit: number): boolean {
  let count = 0
  const open: unknown[] = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const below = Object.values(value)
    count += below.length
    if (count > limit) return true
    open.push(...below)
  }
  return false
}
