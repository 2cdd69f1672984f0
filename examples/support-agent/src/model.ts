import { countTokens, searchTerms, sentences } from './text.ts'

/** The model's name in traces. */
export const MODEL = 'extractive-1'

/** Sentences in an answer. */
const SENTENCES = 3

/** A message in the format of the GenAI semantic conventions. */
export interface Message {
  role: 'system' | 'user' | 'assistant'
  parts: { type: 'text'; content: string }[]
}

/** A passage that the model may quote. */
export interface Passage {
  title: string
  text: string
}

/** The input, the answer and the token counts of a completion. */
export interface Completion {
  input: Message[]
  text: string
  inputTokens: number
  outputTokens: number
}

/** Returns a message with one text part. */
export function message(role: Message['role'], content: string): Message {
  return { role, parts: [{ type: 'text', content }] }
}

/**
 * An extractive model: it answers with the sentences of the first passage that share the rarest
 * words with the question. A real agent would call a language model here; this one needs no network
 * and always gives the same answer to the same question.
 */
export function complete(
  question: string,
  passages: readonly Passage[],
  weightOf: (term: string) => number,
): Completion {
  const context = passages.map(({ title, text }) => `${title}\n${text}`).join('\n\n')
  const instruction =
    'Answer the question with sentences of these articles. Say so when they do not answer it.'
  const input = [
    message('system', `${instruction}\n\n${context}`.trim()),
    message('user', question),
  ]
  const text =
    pickSentences(question, passages, weightOf).join(' ') || 'I found nothing about that.'
  const inputTokens = input
    .flatMap(({ parts }) => parts)
    .reduce((sum, { content }) => sum + countTokens(content), 0)
  return { input, text, inputTokens, outputTokens: countTokens(text) }
}

function pickSentences(
  question: string,
  passages: readonly Passage[],
  weightOf: (term: string) => number,
): string[] {
  const [best] = passages
  if (!best) return []
  const asked = new Set(searchTerms(question))
  const scored = sentences(best.text).map((sentence, position) => {
    const shared = [...new Set(searchTerms(sentence))].filter((term) => asked.has(term))
    // Articles start with what to do, so of two sentences that match equally the earlier one wins.
    const score = shared.reduce((sum, term) => sum + weightOf(term), 0) + 1 / (1 + position)
    return { sentence, position, score }
  })
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, SENTENCES)
    .toSorted((a, b) => a.position - b.position)
    .map(({ sentence }) => sentence)
}
