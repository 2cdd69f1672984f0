import { isRecord, type JsonRecord } from '../messages/plain-json.ts'

/** The path from what a chat model of LangChain returned to what its provider says about it. */
const PATH = ['generations', 0, 0, 'message', 'kwargs', 'response_metadata'] as const

/** Returns what the provider of a chat model of LangChain says about its answer. */
export function answerMetadata(returned: unknown): JsonRecord {
  let value = returned
  for (const key of PATH) {
    if (typeof key === 'number') value = Array.isArray(value) ? (value[key] as unknown) : undefined
    else value = isRecord(value) ? value[key] : undefined
  }
  return isRecord(value) ? value : {}
}

/** Returns why the model ended its answer, as the provider names it. */
export function reasonOfAnswer(metadata: JsonRecord): string {
  const reason = REASONS.map((key) => metadata[key]).find((value) => typeof value === 'string')
  return typeof reason === 'string' ? reason : ''
}

const REASONS = ['finish_reason', 'stop_reason', 'stopReason', 'done_reason']
