import { FailedPrecondition } from '@slipway/shared/errors'

import type { SecretPlace, SecretPlan } from '../domain/secret-plan.ts'
import type { PlannedSecret } from './plan-secrets.ts'
import type { SecretContents } from './read-secrets.ts'

/** The reason of the error for lost values, in a deploy or in a rollback. */
export type LossReason = 'credentials_lost' | 'revision_not_restorable'

/** The API server's limit for the total size of a Secret's values. */
const MAX_SECRET_BYTES = 1024 * 1024

/**
 * Reads the values of credentials from the stored Secrets. Throws FailedPrecondition with `reason`,
 * listing the keys whose values no longer exist.
 */
export function readCredentials(
  keys: readonly string[],
  plan: SecretPlan,
  contents: SecretContents,
  reason: LossReason,
): Record<string, string> {
  const found = keys.map((key) => [key, findCredential(plan, key, contents)?.value] as const)
  const lost = found.filter(([, value]) => value === undefined).map(([key]) => key)
  if (lost.length > 0) {
    throw new FailedPrecondition(
      reason,
      reason === 'credentials_lost'
        ? `the stored values of ${lost.join(', ')} no longer exist; send them in user_credentials`
        : `the revision can't be restored: the stored values of ${lost.join(', ')} no longer exist`,
      { metadata: { keys: lost.join(',') } },
    )
  }
  return Object.fromEntries(found.map(([key, value]) => [key, value ?? '']))
}

/**
 * Adds each credential's previous location to a plan, because the cluster may reject the new
 * Secret.
 */
export function addFormerPlaces(
  plan: SecretPlan,
  credentials: Readonly<Record<string, string>>,
  { former, contents }: { readonly former: SecretPlan; readonly contents: SecretContents },
): SecretPlan {
  const sources = Object.entries(plan.sources).map(([key, source]) => {
    const found = findCredential(former, key, contents)
    const isSame =
      found === undefined ||
      (found.place.secret === source.secret && found.place.key === source.key)
    return [
      key,
      isSame || found.value !== credentials[key] ? source : { ...source, former: found.place },
    ]
  })
  return { ...plan, sources: Object.fromEntries(sources) as SecretPlan['sources'] }
}

/** Reports Secrets that exceed the API server's size limit. */
export function secretSizeProblems(secrets: readonly PlannedSecret[]): string[] {
  return secrets.flatMap(({ component, data }) => {
    const bytes = Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value), 0)
    if (bytes <= MAX_SECRET_BYTES) return []
    const limit = `the limit is ${MAX_SECRET_BYTES}`
    return `user_credentials: the values for ${component} are ${bytes} bytes in total; ${limit}`
  })
}

function findCredential(
  { sources }: SecretPlan,
  key: string,
  contents: SecretContents,
): { readonly value: string; readonly place: SecretPlace } | undefined {
  const source = Object.hasOwn(sources, key) ? sources[key] : undefined
  for (const place of [source, source?.former]) {
    const value = place && contents.get(place.secret)?.[place.key]
    if (place !== undefined && value !== undefined)
      return { value, place: { secret: place.secret, key: place.key } }
  }
  return undefined
}
