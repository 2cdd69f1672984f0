import type { SpanType } from '../../domain/span.ts'
import { isRecord, type JsonRecord } from '../messages/plain-json.ts'
import type { SentSpan } from './sent-span.ts'
import type { SentUsage, Usage } from './span-facts.ts'

/** The attributes with the tokens of a span: of each number, the first that is set counts. */
export interface UsageKeys {
  readonly input: readonly string[]
  readonly output: readonly string[]
  readonly cached: readonly string[]
  readonly cacheWritten?: readonly string[]
  readonly reasoning: readonly string[]
  readonly total?: readonly string[]
}

/** The usage of spans that report none. */
export const NO_USAGE: Usage = {
  of: 'total',
  inputTokens: 0n,
  outputTokens: 0n,
  cachedTokens: 0n,
  cacheWrittenTokens: 0n,
  reasoningTokens: 0n,
}

/**
 * Far above any real call, and low enough that the sum over hundreds of spans fits into an int64.
 */
const MAX_TOKENS = 2n ** 54n

/** Reads the tokens of a span; undefined if it reports none. Implausible numbers count as 0. */
export function readUsage(span: SentSpan, of: Usage['of'], keys: UsageKeys): SentUsage | undefined {
  const input = span.count(keys.input)
  const output = span.count(keys.output)
  if (input === undefined && output === undefined) return undefined
  return {
    of,
    inputTokens: plausible(input),
    outputTokens: plausible(output),
    cachedTokens: plausible(span.count(keys.cached)),
    cacheWrittenTokens: plausible(span.count(keys.cacheWritten ?? [])),
    reasoningTokens: plausible(span.count(keys.reasoning)),
    totalTokens: plausible(span.count(keys.total ?? [])),
  }
}

/** Whether a span of this type reports the tokens of one call or those of other spans. */
export function usageOf(type: SpanType): Usage['of'] {
  return type === 'model' || type === 'embedding' || type === '' ? 'call' : 'total'
}

/** Returns a number of tokens that was read from JSON; 0 if it is implausible. */
export function plausibleTokens(tokens: unknown): bigint {
  return Number.isSafeInteger(tokens) && Number(tokens) >= 0
    ? plausible(BigInt(Number(tokens)))
    : 0n
}

/** The parts of the numbers of tokens. */
export type UsageDetails = Pick<Usage, 'cachedTokens' | 'cacheWrittenTokens' | 'reasoningTokens'>

/** Adds details to a usage that lacks them. */
export function withDetails(usage: SentUsage, details: Partial<UsageDetails>): SentUsage {
  return {
    ...usage,
    cachedTokens: usage.cachedTokens || (details.cachedTokens ?? 0n),
    cacheWrittenTokens: usage.cacheWrittenTokens || (details.cacheWrittenTokens ?? 0n),
    reasoningTokens: usage.reasoningTokens || (details.reasoningTokens ?? 0n),
  }
}

/** Returns what the usage in an API's response says about caches and reasoning. */
export function detailsInApiUsage(usage: JsonRecord): UsageDetails {
  const first = (values: readonly unknown[]) =>
    values.map(plausibleTokens).find((tokens) => tokens > 0n) ?? 0n
  const detail = (parts: readonly string[], field: string) =>
    first(parts.map((part) => (isRecord(usage[part]) ? usage[part][field] : undefined)))
  const count = (...names: readonly string[]) => first(names.map((name) => usage[name]))
  return {
    cachedTokens:
      detail(['prompt_tokens_details', 'input_tokens_details'], 'cached_tokens') ||
      count('cache_read_input_tokens', 'cacheReadInputTokens'),
    cacheWrittenTokens: count('cache_creation_input_tokens', 'cacheWriteInputTokens'),
    reasoningTokens: detail(
      ['completion_tokens_details', 'output_tokens_details'],
      'reasoning_tokens',
    ),
  }
}

/** The names of the input in the usage of APIs that count the tokens of caches next to it. */
const INPUT_NEXT_TO_CACHE = [
  ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'],
  ['inputTokens', 'cacheReadInputTokens', 'cacheWriteInputTokens'],
] as const

/** Whether an input is that of an API's usage which doesn't include the tokens of caches. */
export function isInputNextToCache(usage: JsonRecord, input: bigint): boolean {
  return INPUT_NEXT_TO_CACHE.some(
    ([name, ...caches]) =>
      caches.some((key) => plausibleTokens(usage[key]) > 0n) &&
      plausibleTokens(usage[name]) === input,
  )
}

/**
 * Adds to a usage what the API's own usage says: the details that it lacks, and whether its input
 * is one without the tokens of caches.
 */
export function withApiUsage(usage: SentUsage, sent: JsonRecord): SentUsage {
  const apart = { input: isInputNextToCache(sent, usage.inputTokens) }
  return { ...withDetails(usage, detailsInApiUsage(sent)), apart }
}

function plausible(tokens: bigint | undefined): bigint {
  return tokens === undefined || tokens > MAX_TOKENS ? 0n : tokens
}
