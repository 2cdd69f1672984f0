import { vercelModels } from '../vercel-models.ts'

const NEVER = 'not sent by this version'
const noDetails = { output_tokens: NEVER, cached_tokens: NEVER, reasoning_tokens: NEVER }

/** Vercel's AI SDK 4 with the providers that count tokens otherwise than OpenAI. */
export const vercelModels4 = vercelModels('4', import.meta.dirname, {
  gemini: noDetails,
  'gemini-stream': noDetails,
})
