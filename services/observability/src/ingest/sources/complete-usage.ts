import type { SentUsage, Usage } from './span-facts.ts'

/**
 * Returns the usage of a span with all its parts: some senders count the tokens of caches next to
 * the input, and those of reasoning next to the output. A total shows whether they do; so do parts
 * that are larger than the whole.
 */
export function completeUsage(sent: SentUsage, provider: string, model: string): Usage {
  const { totalTokens = 0n, apart = {}, ...usage } = sent
  const named = withParts(usage, apart)
  const known = withUnnamed(named, totalTokens, vendorOf(provider, model))
  const { inputTokens, outputTokens, reasoningTokens } = known
  const [input, output] = partsApart(known, totalTokens)
  return withParts(known, {
    input: apart.input !== true && (input || cacheTokensOf(known) > inputTokens),
    output: apart.output !== true && (output || reasoningTokens > outputTokens),
  })
}

/** Adds parts to the numbers that don't have them. */
function withParts(usage: Usage, { input, output }: NonNullable<SentUsage['apart']>): Usage {
  const { inputTokens, outputTokens, reasoningTokens } = usage
  return {
    ...usage,
    inputTokens: input === true ? inputTokens + cacheTokensOf(usage) : inputTokens,
    outputTokens: output === true ? outputTokens + reasoningTokens : outputTokens,
  }
}

function cacheTokensOf({ cachedTokens, cacheWrittenTokens }: Usage): bigint {
  return cachedTokens + cacheWrittenTokens
}

/** Whether the total shows that parts are counted next to the input, and next to the output. */
function partsApart(usage: Usage, total: bigint): readonly [boolean, boolean] {
  const { inputTokens, outputTokens, reasoningTokens } = usage
  const excess = total - inputTokens - outputTokens
  const cacheTokens = cacheTokensOf(usage)
  if (excess <= 0n) return [false, false]
  if (excess === cacheTokens) return [true, false]
  if (excess === reasoningTokens) return [false, true]
  return excess === cacheTokens + reasoningTokens ? [true, true] : [false, false]
}

/** Adds what only the total has: of Gemini, its thoughts; of Claude and Bedrock, cached input. */
function withUnnamed(usage: Usage, total: bigint, vendor: ReturnType<typeof vendorOf>): Usage {
  const { inputTokens, outputTokens, reasoningTokens } = usage
  const excess = total - inputTokens - outputTokens
  if (excess <= 0n || excess > MAX_EXCESS) return usage
  const cacheTokens = cacheTokensOf(usage)
  if (vendor === 'google' && reasoningTokens === 0n && excess !== cacheTokens)
    return { ...usage, reasoningTokens: excess }
  if (vendor === 'anthropic' && cacheTokens === 0n && excess !== reasoningTokens)
    return { ...usage, inputTokens: inputTokens + excess }
  return usage
}

/** More can't be the tokens of one call. */
const MAX_EXCESS = 2n ** 40n

/**
 * Returns which parts the API of a provider counts next to the numbers: Anthropic and Bedrock the
 * tokens of caches, Gemini the thoughts. Other providers of the same models count as OpenAI does.
 */
export function apartInApi(provider: string, model = ''): NonNullable<SentUsage['apart']> {
  const vendor = vendorOf(provider, model)
  return { input: vendor === 'anthropic', output: vendor === 'google' }
}

function vendorOf(provider: string, model: string): 'anthropic' | 'google' | '' {
  const names = `${provider} ${model}`.toLowerCase()
  if (/claude|anthropic|bedrock|\bnova\b/.test(names)) return 'anthropic'
  return /gemini|google|vertex|gcp/.test(names) ? 'google' : ''
}
