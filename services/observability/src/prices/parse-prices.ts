import {
  anyMapping,
  mappingOf,
  readPart,
  refuse,
  type ReportProblem,
} from '@slipway/shared/operator-file'
import { parse } from 'yaml'

/** What one million tokens cost in US dollars, of some models from a date on. */
export interface Price {
  /** Patterns for the names that senders give the provider, in lower case. */
  readonly providers: readonly string[]
  /** Patterns for the names of the models, in lower case. */
  readonly models: readonly string[]
  /** Milliseconds since 1970. */
  readonly fromMs: number
  readonly input: number
  readonly cachedInput: number
  /** The price of input tokens that the provider writes to its cache. */
  readonly cacheWrite: number
  readonly output: number
}

/** The prices of models. */
export interface PriceList {
  readonly prices: readonly Price[]
  /** What some senders give in place of a provider, in lower case: it says nothing about it. */
  readonly frameworks: readonly string[]
  /** Patterns for the names of services that send requests on to models of others. */
  readonly routers: readonly string[]
}

const MAX_PRICES = 2_000
const MAX_PATTERNS = 32
const MAX_PATTERN_LENGTH = 200
const MAX_USD = 100_000

/**
 * Parses a file of prices (YAML or JSON). A provider, price or list of names that isn't valid is
 * reported and left out. Throws an Error if the file has no prices.
 */
export function parsePrices(text: string, report: ReportProblem = refuse): PriceList {
  const keys = ['providers', 'frameworks', 'prices', 'routers'] as const
  const file = mappingOf(parse(text, { maxAliasCount: 0 }) ?? {}, 'the file', keys, report)
  /** A part as a list of at most one, so that a part that isn't valid is left out. */
  const valid = <Part>(read: () => Part): readonly Part[] =>
    readPart<readonly Part[]>(report, () => [read()], [])
  const providers = new Map(
    Object.entries(anyMapping(file.providers ?? {}, 'providers')).flatMap(([name, value]) =>
      valid(() => [name, readProvider(value, `providers.${name}`)] as const),
    ),
  )
  const names = (value: unknown, path: string): readonly string[] =>
    value === undefined ? [] : valid(() => patterns(value, path)).flat()
  return {
    prices: list(file.prices, 'prices', MAX_PRICES).flatMap((price, index) =>
      valid(() => readPrice(price, `prices[${index}]`, providers)),
    ),
    frameworks: names(file.frameworks, 'frameworks'),
    routers: names(file.routers, 'routers'),
  }
}

function readProvider(value: unknown, path: string): readonly string[] {
  const { names } = mappingOf(value, path, ['names', 'source'])
  return patterns(names, `${path}.names`)
}

const PRICE_KEYS = [
  'provider',
  'models',
  'from',
  'input',
  'cached_input',
  'cache_write',
  'output',
  'source',
] as const

function readPrice(
  value: unknown,
  path: string,
  providers: ReadonlyMap<string, readonly string[]>,
): Price {
  const price = mappingOf(value, path, PRICE_KEYS)
  const names = typeof price.provider === 'string' ? providers.get(price.provider) : undefined
  if (names === undefined) {
    const known = [...providers.keys()].join(', ')
    throw new Error(`${path}.provider: must be one of the keys of providers: ${known}`)
  }
  const input = dollars(price.input, `${path}.input`)
  return {
    providers: names,
    models: patterns(price.models, `${path}.models`),
    fromMs: date(price.from, `${path}.from`),
    input,
    cachedInput:
      price.cached_input === undefined
        ? input
        : dollars(price.cached_input, `${path}.cached_input`),
    cacheWrite:
      price.cache_write === undefined ? input : dollars(price.cache_write, `${path}.cache_write`),
    // Models that only embed have no output.
    output: price.output === undefined ? 0 : dollars(price.output, `${path}.output`),
  }
}

function dollars(value: unknown, path: string): number {
  if (typeof value === 'number' && value >= 0 && value <= MAX_USD) return value
  throw new Error(
    `${path}: must be US dollars for a million tokens, a number from 0 to ${MAX_USD} like 0.25`,
  )
}

function date(value: unknown, path: string): number {
  const ms =
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(ms)) throw new Error(`${path}: must be a date like 2026-01-31`)
  return ms
}

function list(value: unknown, path: string, max: number): readonly unknown[] {
  if (Array.isArray(value) && value.length <= max) return value
  throw new Error(`${path}: must be a list of at most ${max} elements`)
}

function patterns(value: unknown, path: string): readonly string[] {
  const all = list(value, path, MAX_PATTERNS)
  if (all.length === 0) throw new Error(`${path}: must have at least one element`)
  return all.map((pattern, index) => {
    if (typeof pattern === 'string' && isPattern(pattern)) return pattern.toLowerCase()
    throw new Error(
      `${path}[${index}]: must be a name of 1 to ${MAX_PATTERN_LENGTH} characters, in which * ` +
        'stands for any text and can occur twice, like gpt-4o-*',
    )
  })
}

function isPattern(pattern: string): boolean {
  const { length } = pattern
  return length > 0 && length <= MAX_PATTERN_LENGTH && pattern.split('*').length <= 3
}
