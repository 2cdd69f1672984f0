import type { SpanType } from '../../domain/span.ts'
import type { Content, Message } from '../messages/message.ts'
import { isRecord, toText, type JsonRecord } from '../messages/plain-json.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'

const INPUT = 'gen_ai.input.messages'
const OUTPUT = 'gen_ai.output.messages'

/**
 * Gemini CLI. It has the attributes of the conventions, but other operations, and in place of
 * messages what its functions were given and returned: of a streamed response, the pieces.
 * https://geminicli.com/docs/cli/telemetry/
 */
export const geminiCli: Source = {
  scopes: ['gemini-cli'],
  signs: [],
  type: (span) => TYPES.get(span.text('gen_ai.operation.name')) ?? '',
  provider: (span) => (TYPES.get(span.text('gen_ai.operation.name')) === 'model' ? 'gemini' : ''),
  output: joinedPieces,
  toolArguments: (span) => toText(recordIn(span.value(INPUT), 'args')),
  toolResult,
}

const TYPES: ReadonlyMap<string, SpanType> = new Map([
  ['user_prompt', 'agent'],
  ['system_prompt', 'agent'],
  ['agent_call', 'agent'],
  ['llm_call', 'model'],
  ['tool_call', 'tool'],
  ['schedule_tool_calls', 'chain'],
])

/** Each piece of an answer is a message. */
function joinedPieces(span: SentSpan): Content {
  const content = span.output(OUTPUT)
  const pieces = content.messages
  if (pieces.length < 2 || pieces.some(({ role }) => role !== 'assistant')) return content
  const message: Message = {
    role: 'assistant',
    text: pieces.map(({ text }) => text).join(''),
    calls: pieces.flatMap(({ calls }) => calls),
    results: [],
  }
  return { text: message.text || content.text, messages: [message] }
}

/** What a tool returned is the response of a function to the model. */
function toolResult(span: SentSpan): string {
  const parts = recordIn(recordIn(span.value(OUTPUT), 'response'), 'responseParts')
  const [part] = Array.isArray(parts) ? (parts as readonly unknown[]) : []
  const response = recordIn(recordIn(part, 'functionResponse'), 'response')
  return toText(recordIn(response, 'output') ?? recordIn(response, 'error') ?? response)
}

function recordIn(value: unknown, key: string): unknown {
  return isRecord(value) ? (value satisfies JsonRecord)[key] : undefined
}
