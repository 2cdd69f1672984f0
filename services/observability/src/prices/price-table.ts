import { matches } from './matches.ts'
import { namedModel } from './named-model.ts'
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
/** Senders choose the names of models, so the number of remembered ones is bounded. */
const MAX_REMEMBERED = 1_000

interface FoundPrices {
  readonly prices: readonly Price[]
  /** Whether they are those of the model that the name of another one contains. */
  readonly isBase: boolean
}

/** Prices by model and date. */
export class PriceTable {
  readonly #list: PriceList
  readonly #found = new Map<string, FoundPrices>()

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
    const { prices } = this.#pricesOf(provider, model)
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

  /** Returns whose price a model has: its own, or that of the model that its name contains. */
  sourceOf({ provider, model }: Pick<PricedTokens, 'provider' | 'model'>) {
    return this.#pricesOf(provider, model).isBase ? 'base_prices' : 'prices'
  }

  /** Returns the prices of a model, by date. */
  #pricesOf(provider: string, model: string): FoundPrices {
    const key = `${provider}\n${model}`
    const known = this.#found.get(key)
    if (known !== undefined) return known
    const found = this.#find(provider.toLowerCase(), model.toLowerCase())
    if (this.#found.size === MAX_REMEMBERED) this.#found.clear()
    this.#found.set(key, found)
    return found
  }

  /** A name without a price may be that of a model which a router or a provider has derived. */
  #find(provider: string, model: string): FoundPrices {
    // Gateways and some APIs name a model by a path.
    const prices = this.#findExact(provider, model.slice(model.lastIndexOf('/') + 1))
    const named = prices.length > 0 ? undefined : namedModel(provider, model, this.#list.routers)
    if (named === undefined) return { prices, isBase: false }
    // Routers write versions with dots.
    const names = [named.model, named.model.replaceAll('.', '-')]
    const found = names.map((name) => this.#findExact(named.provider, name))
    return { prices: found.find(({ length }) => length > 0) ?? [], isBase: true }
  }

  /** The most exact pattern for a name counts. */
  #findExact(provider: string, name: string): readonly Price[] {
    const { prices, frameworks } = this.#list
    const isUnknown = provider === '' || frameworks.includes(provider)
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
