import type { Usage } from '../scenario.ts'

const TOKENS_PER_TEXT = 5
const DIMENSIONS = 4

/** What embeddings of these texts cost. */
export function embeddingUsage(input: unknown): Usage {
  return { input: textsOf(input).length * TOKENS_PER_TEXT, output: 0, cached: 0, reasoning: 0 }
}

/** The body of OpenAI's answer with embeddings. All texts have nearly the same. */
export function embeddings(body: Readonly<Record<string, unknown>>, model: string): unknown {
  const { input } = embeddingUsage(body['input'])
  return {
    object: 'list',
    data: textsOf(body['input']).map((_, index) => ({
      object: 'embedding',
      index,
      embedding: encode(vector(index), body['encoding_format'] === 'base64'),
    })),
    model,
    usage: { prompt_tokens: input, total_tokens: input },
  }
}

function textsOf(input: unknown): readonly unknown[] {
  return Array.isArray(input) ? input : [input]
}

function vector(index: number): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, (_, at) =>
    at === index % DIMENSIONS ? 0.8 : 0.5,
  )
}

function encode(values: Float32Array, isBase64: boolean): string | number[] {
  return isBase64 ? Buffer.from(values.buffer).toString('base64') : Array.from(values)
}
