import type { Source } from './source.ts'

/**
 * AG2. It follows the conventions, but after each call of a model, another span repeats its tokens.
 * https://docs.ag2.ai/
 */
export const ag2: Source = {
  signs: ['ag2.span.type'],
  type: (span) => (span.text('ag2.usage.kind') === 'model_call' ? 'chain' : ''),
}
