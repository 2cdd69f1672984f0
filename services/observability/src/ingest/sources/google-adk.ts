import { conventions } from './conventions.ts'
import type { Source } from './source.ts'

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
  type: (span) => conventions.type(span) || (isFilled(span.text(REQUEST)) ? 'model' : ''),
  input: (span) => (isFilled(span.text(REQUEST)) ? span.question(REQUEST) : ''),
  output: (span) => (isFilled(span.text(RESPONSE)) ? span.answer(RESPONSE) : ''),
  toolArguments: (span) =>
    span.shown('gen_ai.tool.call.arguments', 'gcp.vertex.agent.tool_call_args'),
  toolResult: (span) => span.shown('gen_ai.tool.call.result', 'gcp.vertex.agent.tool_response'),
  sessionId: (span) => span.text('gen_ai.conversation.id', 'gcp.vertex.agent.session_id'),
}

function isFilled(json: string): boolean {
  return json !== '' && json !== NOTHING
}
