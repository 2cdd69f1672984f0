import { vercelModels } from '../vercel-models.ts'

/** Vercel's AI SDK 7 with the providers that count tokens otherwise than OpenAI. */
export const vercelModels7 = vercelModels('7', import.meta.dirname)
