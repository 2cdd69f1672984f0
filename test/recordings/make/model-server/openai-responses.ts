import {
  argumentsOf,
  CREATED,
  messagesWithRoles,
  namedEvent,
  openaiUsage,
  pieces,
  type Answer,
  type AnswerIds,
  type ModelApi,
} from './model-api.ts'
import { openaiChat } from './openai-chat.ts'

/** OpenAI's responses. */
export const openaiResponses: ModelApi = {
  name: 'openai.responses',
  idPrefix: 'resp_',
  callIdPrefix: 'call_',
  lacks: ['written'],
  readRequest: (body) => ({
    model: String(body['model']),
    stream: body['stream'] === true,
    messages: messagesWithRoles(body['input'], (text) => text.includes('function_call_output')),
  }),
  whole: (answer, ids) => response(answer, ids, 'completed'),
  streamed(answer, ids) {
    let sequence = 0
    const event = (type: string, data: Readonly<Record<string, unknown>>) =>
      namedEvent(type, { ...data, sequence_number: sequence++ })
    const item = itemOf(answer, ids)
    const place = { output_index: 0, item_id: item.id }
    return [
      event('response.created', { response: response(answer, ids, 'in_progress') }),
      event('response.in_progress', { response: response(answer, ids, 'in_progress') }),
      event('response.output_item.added', { output_index: 0, item: startOf(item) }),
      ...('text' in answer ? textEvents(answer.text, place) : callEvents(answer, place)).map(
        ([type, data]) => event(type, data),
      ),
      event('response.output_item.done', { output_index: 0, item }),
      event('response.completed', { response: response(answer, ids, 'completed') }),
    ]
  },
  error: (message) => openaiChat.error(message),
}

function response(answer: Answer, ids: AnswerIds, status: 'in_progress' | 'completed') {
  const { request } = ids
  return {
    id: ids.id,
    object: 'response',
    created_at: CREATED,
    status,
    error: null,
    incomplete_details: null,
    instructions: request['instructions'] ?? null,
    metadata: {},
    model: ids.model,
    output: status === 'completed' ? [itemOf(answer, ids)] : [],
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: request['tool_choice'] ?? 'auto',
    tools: request['tools'] ?? [],
    top_p: 1,
    usage: status === 'completed' ? openaiUsage(answer.usage, ['input', 'output']) : null,
  }
}

type Item = ReturnType<typeof itemOf>

function itemOf(answer: Answer, { id, callId, request }: AnswerIds) {
  if ('text' in answer)
    return {
      id: id.replace('resp_', 'msg_'),
      type: 'message',
      status: 'completed',
      role: 'assistant',
      phase: 'final_answer',
      content: [textPart(answer.text)],
    } as const
  return {
    id: id.replace('resp_', 'fc_'),
    type: 'function_call',
    status: 'completed',
    call_id: callId,
    name: answer.call.name,
    ...namespaceOf(answer.call.name, request['tools']),
    arguments: argumentsOf(answer),
  } as const
}

/** A tool may be offered in a namespace, which its calls then name. */
function namespaceOf(tool: string, tools: unknown): { readonly namespace?: string } {
  const offered = Array.isArray(tools) ? (tools as readonly Offered[]) : []
  const namespace = offered.find(
    ({ type, tools: own = [] }) => type === 'namespace' && own.some(({ name }) => name === tool),
  )
  return namespace === undefined ? {} : { namespace: namespace.name }
}

interface Offered {
  readonly type: string
  readonly name: string
  readonly tools?: readonly { readonly name: string }[]
}

function textPart(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

function startOf(item: Item) {
  const empty = item.type === 'message' ? { content: [] } : { arguments: '' }
  return { ...item, status: 'in_progress', ...empty }
}

type Event = readonly [string, Readonly<Record<string, unknown>>]

function textEvents(text: string, place: Readonly<Record<string, unknown>>): readonly Event[] {
  const at = { ...place, content_index: 0 }
  return [
    ['response.content_part.added', { ...at, part: textPart('') }],
    ...pieces(text).map((delta): Event => [
      'response.output_text.delta',
      { ...at, delta, logprobs: [] },
    ]),
    ['response.output_text.done', { ...at, text, logprobs: [] }],
    ['response.content_part.done', { ...at, part: textPart(text) }],
  ]
}

function callEvents(answer: Answer, place: Readonly<Record<string, unknown>>): readonly Event[] {
  const args = argumentsOf(answer)
  return [
    ['response.function_call_arguments.delta', { ...place, delta: args }],
    ['response.function_call_arguments.done', { ...place, arguments: args }],
  ]
}
