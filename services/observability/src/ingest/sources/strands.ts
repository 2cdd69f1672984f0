import { isRecord } from '../messages/plain-json.ts'
import { conventions } from './conventions.ts'
import { firstTokenAfter } from './response-facts.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'

/**
 * Strands Agents. It follows the conventions, but its answers end with a line break, and results of
 * tools are lists of parts.
 * https://strandsagents.com/
 */
export const strands: Source = {
  scopes: ['strands.telemetry.tracer'],
  signs: [],
  output: (span) => {
    const content = conventions.output(span)
    return { ...content, text: content.text.trimEnd() }
  },
  toolResult: (span) => textOfParts(span, conventions.toolResult(span)),
  // It counts milliseconds, where the conventions count seconds.
  firstTokenNs: (span) => firstTokenAfter(span.number('gen_ai.server.time_to_first_token')),
}

/** The texts of a list of parts; any other text unchanged. */
function textOfParts(span: SentSpan, text: string): string {
  const parts = span.parse(text)
  if (!Array.isArray(parts)) return text
  const texts = parts.map((part: unknown) => (isRecord(part) ? part['text'] : undefined))
  return texts.every((each) => typeof each === 'string') ? texts.join('\n') : text
}
