import { vercelModels } from '../vercel-models.ts'

const STREAMS = 'sent for streams'

/** Vercel's AI SDK 5 with the providers that count tokens otherwise than OpenAI. */
export const vercelModels5 = vercelModels('5', import.meta.dirname, {
  azure: { cached_tokens: STREAMS, reasoning_tokens: STREAMS },
  bedrock: { input_tokens: STREAMS, cached_tokens: STREAMS },
})
