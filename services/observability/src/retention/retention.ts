import type { CurrentAccountLimits } from '@slipway/shared/account-limits'

/** How long traces are shown, in days. */
export interface Retention {
  /** The retention of the trace store, which that of an account never exceeds. */
  readonly maxDays: number
  /** The retention of an account, as the operator's file has it now. */
  daysOf(accountId: string): number
}

/** Returns the retention of accounts: their limit `trace_days`, or that of the store if shorter. */
export function retentionOf(limits: Pick<CurrentAccountLimits, 'of'>, maxDays: number): Retention {
  return { maxDays, daysOf: (accountId) => Math.min(limits.of(accountId).trace_days, maxDays) }
}
