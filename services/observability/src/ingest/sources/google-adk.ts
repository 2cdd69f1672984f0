import type { SpanType } from '../../domain/span.ts'
import { conventions } from './conventions.ts'
import { isRecord, toText } from '../messages/plain-json.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'
import type { SentUsage } from './span-facts.ts'
import { plausibleTokens, withDetails } from './usage.ts'

const REQUEST = 'gcp.vertex.agent.llm_request'
const RESPONSE = 'gcp.vertex.agent.llm_response'
/** The value of these attributes on spans that call no model. */
const NOTHING = '{}'

/**
 * Google's Agent Development Kit. Requests and responses are in the format of the Gemini API.
 * https://google.github.io/adk-docs/
 */
export const googleAdk: Source = {
  scopes: ['gcp.vertex.agent'],
  signs: [REQUEST],
  type: (span) =>
    conventions.type(span) || (['', NOTHING].includes(span.text(REQUEST)) ? '' : 'model'),
  input: (span) => span.input(REQUEST),
  output: (span) => span.output(RESPONSE),
  toolArguments: (span) =>
    span.shown('gen_ai.tool.call.arguments', 'gcp.vertex.agent.tool_call_args'),
  toolResult: (span) =>
    returnedIn(span, 'gen_ai.tool.call.result') ||
    returnedIn(span, 'gcp.vertex.agent.tool_response'),
  usage: readResponseUsage,
  sessionId: (span) => span.text('gen_ai.conversation.id', 'gcp.vertex.agent.session_id'),
}

/** What a tool returned: anything but a dictionary is sent as `{"result": …}`. */
function returnedIn(span: SentSpan, key: string): string {
  const value = span.value(key)
  const isWrapped = isRecord(value) && Object.keys(value).join() === 'result'
  return isWrapped ? toText(value['result']) : span.shown(key)
}

/** Only the response has the total, and in earlier versions the thoughts. */
function readResponseUsage(span: SentSpan, type: SpanType): SentUsage | undefined {
  const usage = conventions.usage(span, type)
  const response = span.value(RESPONSE)
  const sent = isRecord(response) ? response['usage_metadata'] : undefined
  if (usage === undefined || !isRecord(sent)) return usage
  const count = (key: string) => plausibleTokens(sent[key])
  return {
    ...withDetails(usage, {
      cachedTokens: count('cached_content_token_count'),
      reasoningTokens: count('thoughts_token_count'),
    }),
    totalTokens: usage.totalTokens || count('total_token_count'),
  }
}
