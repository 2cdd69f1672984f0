import {
  argumentsOf,
  messagesWithRoles,
  namedEvent,
  pieces,
  type Answer,
  type AnswerIds,
  type ModelApi,
} from './model-api.ts'

/** Anthropic's messages. Its input tokens don't include the cached ones. */
export const anthropicMessages: ModelApi = {
  name: 'anthropic.messages',
  idPrefix: 'msg_',
  callIdPrefix: 'toolu_',
  lacks: ['reasoning'],
  readRequest: (body) => ({
    model: String(body['model']),
    stream: body['stream'] === true,
    messages: messagesWithRoles(body['messages'], (text) => text.includes('"tool_result"')),
  }),
  whole: (answer, ids) => ({
    ...head(ids),
    content: [blockOf(answer, ids)],
    stop_reason: stopReason(answer),
    stop_sequence: null,
    usage: usageOf(answer),
  }),
  streamed(answer, ids) {
    const start = { ...usageOf(answer), output_tokens: 1 }
    const empty = 'text' in answer ? { text: '' } : { input: {} }
    return [
      namedEvent('message_start', {
        message: {
          ...head(ids),
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: start,
        },
      }),
      namedEvent('content_block_start', {
        index: 0,
        content_block: { ...blockOf(answer, ids), ...empty },
      }),
      ...deltas(answer).map((delta) => namedEvent('content_block_delta', { index: 0, delta })),
      namedEvent('content_block_stop', { index: 0 }),
      namedEvent('message_delta', {
        delta: { stop_reason: stopReason(answer), stop_sequence: null },
        usage: usageOf(answer),
      }),
      namedEvent('message_stop', {}),
    ]
  },
  error: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
}

function head({ id, model }: AnswerIds) {
  return { id, type: 'message', role: 'assistant', model }
}

function stopReason(answer: Answer) {
  return 'call' in answer ? 'tool_use' : 'end_turn'
}

function usageOf({ usage: { input, output, cached, written = 0 } }: Answer) {
  return {
    input_tokens: input - cached - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    output_tokens: output,
    service_tier: 'standard',
  }
}

function blockOf(answer: Answer, { callId }: AnswerIds) {
  if ('text' in answer) return { type: 'text', text: answer.text }
  return { type: 'tool_use', id: callId, name: answer.call.name, input: answer.call.arguments }
}

function deltas(answer: Answer): readonly unknown[] {
  return 'text' in answer
    ? pieces(answer.text).map((text) => ({ type: 'text_delta', text }))
    : [{ type: 'input_json_delta', partial_json: argumentsOf(answer) }]
}
