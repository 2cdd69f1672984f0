import { plausibleTokens, type UsageDetails } from './usage.ts'

const CACHED = /'(?:cached_tokens|cache_?read_?input_?tokens|cached_content_token_count)': (\d+)/i
const WRITTEN =
  /'(?:cache_creation_input_tokens|cache_write_input_tokens|cacheWriteInputTokens)': (\d+)/
const REASONING = /'(?:reasoning_tokens|thoughts_token_count)': (\d+)/

/** Where the metadata of a message begin. They follow its content, which could say the same. */
const METADATA = ', _meta={'

/**
 * Returns what an API's usage says about caches and reasoning, in the metadata of a message as
 * Haystack writes it: in the text of Python's objects.
 */
export function detailsInText(text: string): UsageDetails {
  const start = text.lastIndexOf(METADATA)
  const metadata = start === -1 ? '' : text.slice(start)
  const count = (pattern: RegExp) => plausibleTokens(Number(pattern.exec(metadata)?.[1] ?? 0))
  return {
    cachedTokens: count(CACHED),
    cacheWrittenTokens: count(WRITTEN),
    reasoningTokens: count(REASONING),
  }
}
