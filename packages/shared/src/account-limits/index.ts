import type { ConfigReader } from '../config/config.ts'
import type { Logger } from '../logging/logger.ts'
import { readOperatorFile, type OperatorFile } from '../config/operator-file.ts'
import { followFile } from '../process/reloaded-file.ts'
import type { AccountLimits } from './definitions.ts'
import { builtInLimits, parseAccountLimits, type AccountLimitTable } from './parse-file.ts'

export {
  accountLimitDefinitions,
  type AccountLimitName,
  type AccountLimits,
  type LimitDefinition,
} from './definitions.ts'
export { builtInLimits } from './parse-file.ts'
export { describeExcess, exceedsQuota, quotaExceeded, type QuotaUse } from './quota.ts'

/** The operator's limits as they were read at start; undefined if no file is configured. */
export type AccountLimitsConfig = OperatorFile<AccountLimitTable> | undefined

/** The limits of accounts, as the operator's file has them now. */
export interface CurrentAccountLimits extends Disposable {
  /** The limits of an account, by its id. */
  of(accountId: string): AccountLimits
}

/**
 * Reads the file that ACCOUNT_LIMITS_FILE names. Without one, and where it isn't valid, accounts
 * have the defaults.
 */
export function readAccountLimits(reader: ConfigReader): AccountLimitsConfig {
  return readOperatorFile(reader, 'ACCOUNT_LIMITS_FILE', parseAccountLimits, builtInLimits)
}

/** Follows the changes of the operator's file, which is read again every `intervalMs`. */
export function followAccountLimits(
  config: AccountLimitsConfig,
  logger: Logger,
  intervalMs?: number,
): CurrentAccountLimits {
  const file =
    config && followFile({ ...config, logger, ...(intervalMs !== undefined && { intervalMs }) })
  return {
    of: (accountId) => {
      const { exceptions, defaults } = file?.current ?? builtInLimits
      return exceptions.get(accountId) ?? defaults
    },
    [Symbol.dispose]: () => file?.[Symbol.dispose](),
  }
}
