import { serve } from './serve.ts'

/** Returns the number of words in a text. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length
}

if (import.meta.main) {
  await serve(
    9000,
    async () => true,
    async (_method, _path, text) => ({ status: 200, body: { words: countWords(text) } }),
  )
}
