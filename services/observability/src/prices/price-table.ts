import type { Price, PriceList } from './parse-prices.ts'

/** The tokens of calls to a model. */
export interface PricedTokens {
  /** As the sender names it; may be empty. */
  readonly provider: string
  readonly model: string
  /** When they were used, in nanoseconds since 1970. */
  readonly atNs: bigint
  /** Includes `cachedTokens` and `cacheWrittenTokens`. */
  readonly inputTokens: bigint
  readonly outputTokens: bigint
  readonly cachedTokens: bigint
  readonly cacheWrittenTokens: bigint
}

/** Dollars for a million tokens are thousands of billionths of a dollar for one. */
const NANO_USD_PER_TOKEN = 1_000
const NS_PER_MS = 1_000_000n
/** The highest cost that is plausible, in billionths of a dollar: as for reported costs. */
const MAX_NANO_USD = 1e13
/** Senders choose the names of models, so only so many are remembered. */
const MAX_REMEMBERED = 1_000

/** Prices by model and date. */
export class PriceTable {
  readonly #list: PriceList
  readonly #found = new Map<string, readonly Price[]>()

  constructor(list: PriceList) {
    this.#list = list
  }

  /**
   * Returns what tokens cost in billionths of a US dollar; 0 if the model has no price. Tokens that
   * the provider reads from its cache, or writes to it, have other prices.
   */
  costOf(tokens: PricedTokens): bigint {
    const { provider, model, inputTokens, outputTokens, cachedTokens, cacheWrittenTokens } = tokens
    if (model === '' || (inputTokens === 0n && outputTokens === 0n)) return 0n
    const prices = this.#pricesOf(provider, model)
    if (prices.length === 0) return 0n
    const atMs = Number(tokens.atNs / NS_PER_MS)
    const price = prices.findLast(({ fromMs }) => fromMs <= atMs)
    if (price === undefined) return 0n
    const cached = smaller(cachedTokens, inputTokens)
    const written = smaller(cacheWrittenTokens, inputTokens - cached)
    const usdPerMillion =
      Number(inputTokens - cached - written) * price.input +
      Number(cached) * price.cachedInput +
      Number(written) * price.cacheWrite +
      Number(outputTokens) * price.output
    const nanoUsd = Math.round(usdPerMillion * NANO_USD_PER_TOKEN)
    return nanoUsd <= MAX_NANO_USD ? BigInt(nanoUsd) : 0n
  }

  /** Returns the prices of a model, by date. */
  #pricesOf(provider: string, model: string): readonly Price[] {
    const key = `${provider}\n${model}`
    const known = this.#found.get(key)
    if (known !== undefined) return known
    const found = this.#find(provider.toLowerCase(), model.toLowerCase())
    if (this.#found.size === MAX_REMEMBERED) this.#found.clear()
    this.#found.set(key, found)
    return found
  }

  /** The most exact pattern for a name counts. */
  #find(provider: string, model: string): readonly Price[] {
    const { prices, frameworks } = this.#list
    const isUnknown = provider === '' || frameworks.includes(provider)
    // Gateways and some APIs name a model by a path.
    const name = model.slice(model.lastIndexOf('/') + 1)
    let best = -1
    let found: Price[] = []
    for (const price of prices) {
      if (!isUnknown && !price.providers.some((pattern) => matches(provider, pattern))) continue
      const exactness = Math.max(-1, ...price.models.map((pattern) => exactnessOf(name, pattern)))
      if (exactness < 0 || exactness < best) continue
      if (exactness > best) found = []
      best = exactness
      found.push(price)
    }
    return found.toSorted((a, b) => a.fromMs - b.fromMs)
  }
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** The number of characters that a pattern for a name has in common with it; -1 if it differs. */
function exactnessOf(name: string, pattern: string): number {
  return matches(name, pattern) ? pattern.replaceAll('*', '').length : -1
}

/** Whether a name matches a pattern, in which `*` stands for any text. */
function matches(name: string, pattern: string): boolean {
  const [start = '', ...others] = pattern.split('*')
  const end = others.pop()
  if (end === undefined) return name === pattern
  if (!name.startsWith(start) || !name.endsWith(end)) return false
  if (name.length < start.length + end.length) return false
  return name.slice(start.length, name.length - end.length).includes(others.join(''))
}
