import { parse } from 'yaml'

import { anyMapping, isAccountId, mappingOf } from '../operator-file.ts'
import {
  accountLimitDefinitions,
  type AccountLimitName,
  type AccountLimits,
  type LimitDefinition,
} from './definitions.ts'

const FILE_KEYS = ['defaults', 'accounts'] as const
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti']

/** The limits of all accounts. */
export interface AccountLimitTable {
  /** Of accounts without an entry. */
  readonly defaults: AccountLimits
  /** Of accounts with an entry, by the account's id. */
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
 * Parses the operator's file of limits (YAML or JSON). Throws an Error that names the first wrong
 * key or value.
 */
export function parseAccountLimits(text: string): AccountLimitTable {
  const file = mappingOf(parse(text, { maxAliasCount: 0 }) ?? {}, 'the file', FILE_KEYS)
  const { defaults = {}, accounts = {} } = file
  const common = limits(defaults, 'defaults', builtInLimits.defaults)
  const exceptions = Object.entries(anyMapping(accounts, 'accounts')).map(([id, values]) => {
    if (!isAccountId(id)) throw new Error(`accounts.${id}: must be the id of an account`)
    return [id, limits(values, `accounts.${id}`, common)] as const
  })
  return Object.freeze({ defaults: common, exceptions: new Map(exceptions) })
}

function limits(value: unknown, path: string, base: AccountLimits): AccountLimits {
  const given = Object.entries(anyMapping(value, path)).map(([name, amount]) => {
    const definition = (accountLimitDefinitions as Record<string, LimitDefinition>)[name]
    if (definition === undefined)
      throw new Error(
        `${path}.${name}: unknown limit; must be one of ` +
          Object.keys(accountLimitDefinitions).join(', '),
      )
    return [name, readAmount(amount, definition.unit, `${path}.${name}`)]
  })
  return Object.freeze({ ...base, ...(Object.fromEntries(given) as Partial<AccountLimits>) })
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
