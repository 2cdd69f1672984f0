import type { ConfigReader } from '../config.ts'
import type { Logger } from '../logger.ts'
import { followFile } from '../reloaded-file.ts'
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

const SETTING = 'ACCOUNT_LIMITS_FILE'

/** The operator's limits as they were read at start. */
export interface AccountLimitsConfig {
  /** The file that is read again while the service runs; undefined if none is configured. */
  readonly path: string | undefined
  readonly table: AccountLimitTable
}

/** The limits of accounts, as the operator's file has them now. */
export interface CurrentAccountLimits extends Disposable {
  /** The limits of an account, by its id. */
  of(accountId: string): AccountLimits
}

/** Reads the file that ACCOUNT_LIMITS_FILE names; without one, all accounts have the defaults. */
export function readAccountLimits(reader: ConfigReader): AccountLimitsConfig {
  const text = reader.file(SETTING)
  try {
    const table = text === undefined ? builtInLimits : parseAccountLimits(text)
    return Object.freeze({ path: reader.optional(SETTING), table })
  } catch (error) {
    reader.report(`${SETTING}: ${error instanceof Error ? error.message : 'is not valid'}`)
    return { path: undefined, table: builtInLimits }
  }
}

/** Follows the changes of the operator's file, which is read again every `intervalMs`. */
export function followAccountLimits(
  { path, table }: AccountLimitsConfig,
  logger: Logger,
  intervalMs?: number,
): CurrentAccountLimits {
  const file =
    path === undefined
      ? undefined
      : followFile({
          name: SETTING,
          path,
          initial: table,
          parse: parseAccountLimits,
          logger,
          ...(intervalMs !== undefined && { intervalMs }),
        })
  return {
    of: (accountId) => {
      const { exceptions, defaults } = file?.current ?? table
      return exceptions.get(accountId) ?? defaults
    },
    [Symbol.dispose]: () => file?.[Symbol.dispose](),
  }
}
