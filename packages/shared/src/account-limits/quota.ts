import { FailedPrecondition } from '../errors.ts'
import { accountLimitDefinitions, type AccountLimitName } from './definitions.ts'

/** How much of a limit an account uses; amounts are in the unit of the limit. */
export interface QuotaUse {
  readonly limit: AccountLimitName
  readonly used: number
  readonly bound: number
}

/** Whether a change that adds an amount exceeds a limit. A change that adds nothing never does. */
export function exceedsQuota({ used, bound }: QuotaUse, added: number): boolean {
  return added > 0 && used + added > bound
}

/** Describes the problem with a change that exceeds a limit: the limit, its use, and the remedy. */
export function describeExcess({ limit, used, bound }: QuotaUse, added: number): string {
  const { meaning, remedy, unit } = accountLimitDefinitions[limit]
  const [inUse, of, more] = [used, bound, added].map((amount) =>
    String(unit === 'millicores' ? amount / 1000 : amount),
  )
  const unitName = { count: '', bytes: ' bytes', millicores: ' CPUs', days: ' days' }[unit]
  return (
    `limit ${limit} (${meaning}): the account uses ${inUse} of ${of}${unitName}, and this needs ` +
    `${more} more; ${remedy}, or ask the operator for a higher limit`
  )
}

/** The error for a change that exceeds a limit: FailedPrecondition `quota_exceeded`. */
export function quotaExceeded(use: QuotaUse, added: number): FailedPrecondition {
  return new FailedPrecondition('quota_exceeded', describeExcess(use, added), {
    metadata: { limit: use.limit, used: String(use.used), bound: String(use.bound) },
  })
}
