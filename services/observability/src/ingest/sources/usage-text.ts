import { plausibleTokens, type UsageDetails } from './usage.ts'

const CACHED = /'(?:cached_tokens|cache_?read_?input_?tokens|cached_content_token_count)': (\d+)/i
const WRITTEN =
  /'(?:cache_creation_input_tokens|cache_write_input_tokens|cacheWriteInputTokens)': (\d+)/
const REASONING = /'(?:reasoning_tokens|thoughts_token_count)': (\d+)/

/** Returns what an API's usage says about caches and reasoning, in the text of Python's objects. */
export function detailsInText(text: string): UsageDetails {
  const count = (pattern: RegExp) => plausibleTokens(Number(pattern.exec(text)?.[1] ?? 0))
  return {
    cachedTokens: count(CACHED),
    cacheWrittenTokens: count(WRITTEN),
    reasoningTokens: count(REASONING),
  }
}
