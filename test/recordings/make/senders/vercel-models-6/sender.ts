import { vercelModels } from '../vercel-models.ts'

/** Vercel's AI SDK 6 with the providers that count tokens otherwise than OpenAI. */
export const vercelModels6 = vercelModels('6', import.meta.dirname)
