import { countTokens, searchTerms, sentences } from './text.ts'

/** The name under which this agent's own model appears in traces. */
export const MODEL = 'extractive-1'

/** Sentences in an answer. Enough for what to do and one consequence. */
const SENTENCES = 3

/** A message in the shape of the GenAI semantic conventions. */
export interface Message {
  role: 'system' | 'user' | 'assistant'
  parts: { type: 'text'; content: string }[]
}

/** A passage the model may quote. */
export interface Passage {
  title: string
  text: string
}

/** What a completion costs and says. */
export interface Completion {
  input: Message[]
  text: string
  inputTokens: number
  outputTokens: number
}

/** A message with one text part. */
export function message(role: Message['role'], content: string): Message {
  return { role, parts: [{ type: 'text', content }] }
}

/**
 * An extractive model: it answers with the sentences of its prompt's passages that share the most
 * telling words with the question. It stands where others call a language model, needs no network,
 * and gives the same answer to the same prompt.
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
    // Articles start with what to do: between sentences that fit equally, the earlier one wins.
    const score = shared.reduce((sum, term) => sum + weightOf(term), 0) + 1 / (1 + position)
    return { sentence, position, score }
  })
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, SENTENCES)
    .toSorted((a, b) => a.position - b.position)
    .map(({ sentence }) => sentence)
}
