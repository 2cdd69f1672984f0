import {
  CREATED,
  messagesWithRoles,
  pieces,
  type Answer,
  type AnswerIds,
  type ModelApi,
} from './model-api.ts'

/** Ollama's chats. It streams lines of JSON, also if the request doesn't say so. */
export const ollama: ModelApi = {
  name: 'ollama.chat',
  idPrefix: '',
  callIdPrefix: '',
  streamType: 'application/x-ndjson',
  lacks: ['cached', 'reasoning', 'written'],
  readRequest: (body) => ({
    model: String(body['model']),
    stream: body['stream'] !== false,
    messages: messagesWithRoles(body['messages'], (text) => text.includes('"role":"tool"')),
  }),
  whole: (answer, ids) => ({ ...part(messageOf(answer), ids), ...end(answer) }),
  streamed: (answer, ids) => [
    ...('text' in answer
      ? pieces(answer.text).map((content) => line(part({ content }, ids)))
      : [line(part(messageOf(answer), ids))]),
    line({ ...part({ content: '' }, ids), ...end(answer) }),
  ],
  error: (message) => ({ error: message }),
}

function part(message: object, { model }: AnswerIds) {
  const createdAt = new Date(CREATED * 1000).toISOString()
  return { model, created_at: createdAt, message: { role: 'assistant', ...message }, done: false }
}

function messageOf(answer: Answer) {
  return 'text' in answer
    ? { content: answer.text }
    : { content: '', tool_calls: [{ function: answer.call }] }
}

function end({ usage }: Answer) {
  return {
    done: true,
    done_reason: 'stop',
    total_duration: 5_000_000_000,
    load_duration: 1_000_000,
    prompt_eval_count: usage.input,
    prompt_eval_duration: 100_000_000,
    eval_count: usage.output,
    eval_duration: 4_000_000_000,
  }
}

function line(data: unknown): string {
  return `${JSON.stringify(data)}\n`
}
