import { FailedPrecondition } from '@slipway/shared/errors'

import type { SecretPlace, SecretPlan } from '../domain/secret-plan.ts'
import type { PlannedSecret } from './plan-secrets.ts'
import type { SecretContents } from './read-secrets.ts'

/** What a loss of values means: to the next deploy, or to a revision that was to come back. */
export type LossReason = 'credentials_lost' | 'revision_not_restorable'

/** What the API server takes in one Secret, all values together. */
const MAX_SECRET_BYTES = 1024 * 1024

/**
 * Values of credentials that the cluster has; FailedPrecondition with `reason` names those that it
 * doesn't.
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
        ? `the stored values of ${lost.join(', ')} are gone; give them again`
        : `the stored values of ${lost.join(', ')} are gone; the revision can't be restored`,
      { metadata: { keys: lost.join(',') } },
    )
  }
  return Object.fromEntries(found.map(([key, value]) => [key, value ?? '']))
}

/**
 * Notes where the cluster has a credential's value already: the Secret where it is to be from now
 * on may be refused.
 */
export function noteFormerPlaces(
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

/** Why the cluster would refuse Secrets for their size. */
export function secretSizeProblems(secrets: readonly PlannedSecret[]): string[] {
  return secrets.flatMap(({ component, data }) => {
    const bytes = Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value), 0)
    if (bytes <= MAX_SECRET_BYTES) return []
    return `user_credentials: what ${component} reads comes to ${bytes} bytes, more than ${MAX_SECRET_BYTES}`
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
