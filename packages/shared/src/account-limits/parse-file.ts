import { parse } from 'yaml'

import {
  anyMapping,
  isAccountId,
  mappingOf,
  readPart,
  refuse,
  type ReportProblem,
} from '../config/operator-file.ts'
import {
  accountLimitDefinitions,
  type AccountLimitName,
  type AccountLimits,
  type LimitDefinition,
} from './definitions.ts'

const FILE_KEYS = ['defaults', 'accounts'] as const
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti']

export interface AccountLimitTable {
  /** The limits of accounts without an entry. */
  readonly defaults: AccountLimits
  /** The limits of accounts with an entry, by the account's id. */
  readonly exceptions: ReadonlyMap<string, AccountLimits>
}

/** The limits without an operator's file. */
export const builtInLimits: AccountLimitTable = Object.freeze({
  defaults: Object.freeze(
    Object.fromEntries(
      Object.entries(accountLimitDefinitions).map(([name, { default: value }]) => [name, value]),
    ) as Record<AccountLimitName, number>,
  ),
  exceptions: new Map<string, AccountLimits>(),
})

/**
 * Parses the operator's file of limits (YAML or JSON). A limit that isn't valid is reported, and
 * the one that it would replace stays.
 */
export function parseAccountLimits(
  text: string,
  report: ReportProblem = refuse,
): AccountLimitTable {
  const file = mappingOf(parse(text, { maxAliasCount: 0 }) ?? {}, 'the file', FILE_KEYS, report)
  const { defaults = {}, accounts = {} } = file
  const common = limits(defaults, 'defaults', builtInLimits.defaults, report)
  const exceptions = new Map<string, AccountLimits>()
  const given = readPart(report, () => anyMapping(accounts, 'accounts'), {})
  for (const [id, values] of Object.entries(given)) {
    if (isAccountId(id)) exceptions.set(id, limits(values, `accounts.${id}`, common, report))
    else report(`accounts.${id}: must be the id of an account`)
  }
  return Object.freeze({ defaults: common, exceptions })
}

function limits(
  value: unknown,
  path: string,
  base: AccountLimits,
  report: ReportProblem,
): AccountLimits {
  const result: Record<AccountLimitName, number> = { ...base }
  const given = readPart(report, () => anyMapping(value, path), {})
  for (const [name, amount] of Object.entries(given)) {
    if (isLimitName(name)) {
      const { unit } = accountLimitDefinitions[name]
      const read = (): number => readAmount(amount, unit, `${path}.${name}`)
      result[name] = readPart(report, read, base[name])
    } else {
      const known = Object.keys(accountLimitDefinitions).join(', ')
      report(`${path}.${name}: unknown limit; must be one of ${known}`)
    }
  }
  return Object.freeze(result)
}

function isLimitName(name: string): name is AccountLimitName {
  return Object.hasOwn(accountLimitDefinitions, name)
}

function readAmount(value: unknown, unit: LimitDefinition['unit'], path: string): number {
  const read = { count: readCount, bytes: readBytes, millicores: readMillicores, days: readDays }[
    unit
  ]
  const amount = read(String(value))
  if (amount !== undefined && Number.isSafeInteger(amount)) return amount
  const form = {
    count: 'a whole number',
    bytes: 'a number of bytes like 500Mi or 10Gi',
    millicores: 'a number of CPUs like 0.5, 500m or 16',
    days: 'a whole number of days, at least 1',
  }[unit]
  throw new Error(`${path}: must be ${form}`)
}

function readCount(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined
}

function readDays(text: string): number | undefined {
  return /^[1-9]\d*$/.test(text) ? Number(text) : undefined
}

function readBytes(text: string): number | undefined {
  const [, digits, suffix = ''] = /^(\d+)([KMGT]i)?$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits) * 1024 ** BINARY_SUFFIXES.indexOf(suffix)
}

function readMillicores(text: string): number | undefined {
  const [, millicores, cpus] = /^(?:(\d+)m|(\d+(?:\.\d{1,3})?))$/.exec(text) ?? []
  if (millicores !== undefined) return Number(millicores)
  return cpus === undefined ? undefined : Math.round(Number(cpus) * 1000)
}
