import { isRecord, toText, type JsonRecord } from '../messages/plain-json.ts'
import { plausibleTokens, type UsageDetails } from './usage.ts'

/** The path to the fields of the message that a chat model of LangChain returned. */
const PATH = ['generations', 0, 0, 'message', 'kwargs'] as const

/**
 * Returns what the provider of a chat model of LangChain says about its response. Some models have
 * it in an older field if they stream.
 */
export function responseMetadata(returned: unknown): JsonRecord {
  return {
    ...fieldOfResponse(returned, 'additional_kwargs'),
    ...fieldOfResponse(returned, 'response_metadata'),
  }
}

/** Returns the tokens of a response as LangChain counts them: the input and output have all. */
export function responseUsage(returned: unknown): JsonRecord {
  return fieldOfResponse(returned, 'usage_metadata')
}

function fieldOfResponse(returned: unknown, field: string): JsonRecord {
  let value = returned
  for (const key of PATH) {
    if (typeof key === 'number') value = Array.isArray(value) ? (value[key] as unknown) : undefined
    else value = isRecord(value) ? value[key] : undefined
  }
  const found = isRecord(value) ? value[field] : undefined
  return isRecord(found) ? found : {}
}

/** Returns what LangChain's usage says about caches and reasoning. */
export function detailsInUsage({
  input_token_details: input,
  output_token_details: output,
}: JsonRecord): UsageDetails {
  return {
    cachedTokens: plausibleTokens(isRecord(input) ? input['cache_read'] : undefined),
    cacheWrittenTokens: plausibleTokens(isRecord(input) ? input['cache_creation'] : undefined),
    reasoningTokens: plausibleTokens(isRecord(output) ? output['reasoning'] : undefined),
  }
}

/** Returns the model that responded, as its provider names it. */
export function modelOfResponse(metadata: JsonRecord): string {
  return toText(metadata['model_name'] ?? metadata['model'])
}

/** Returns why the model ended its response, as the provider names it. */
export function reasonOfResponse(metadata: JsonRecord): string {
  // The metadata of streams of Bedrock have the events.
  const events = isRecord(metadata['messageStop']) ? metadata['messageStop'] : {}
  const reasons = REASONS.map((key) => metadata[key] ?? events[key])
  const reason = reasons.find((value) => typeof value === 'string')
  return typeof reason === 'string' ? reason : ''
}

const REASONS = ['finish_reason', 'finishReason', 'stop_reason', 'stopReason', 'done_reason']
