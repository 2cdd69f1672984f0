import {
  argumentsOf,
  CREATED,
  dataEvent,
  messagesWithRoles,
  openaiUsage,
  pieces,
  type Answer,
  type AnswerIds,
  type ModelApi,
} from './model-api.ts'

/** OpenAI's chat completions. */
export const openaiChat: ModelApi = {
  name: 'openai.chat',
  idPrefix: 'chatcmpl-',
  callIdPrefix: 'call_',
  lacks: ['written'],
  readRequest: (body, path) => ({
    model: DEPLOYMENT.exec(path)?.[1] ?? String(body['model']),
    stream: body['stream'] === true,
    messages: messagesWithRoles(body['messages'], (text) => TOOL_RESULT.test(text)),
  }),
  whole(answer, ids) {
    return {
      ...head(ids, 'chat.completion'),
      choices: [{ index: 0, message: message(answer, ids), ...finish(answer), logprobs: null }],
      usage: usageOf(answer),
    }
  },
  streamed(answer, ids) {
    const chunk = (choices: readonly unknown[], more = {}) =>
      dataEvent({ ...head(ids, 'chat.completion.chunk'), choices, ...more })
    const delta = (content: unknown) => chunk([{ index: 0, delta: content, finish_reason: null }])
    const options = ids.request['stream_options']
    const isUsageWanted =
      typeof options === 'object' && options !== null && 'include_usage' in options
    return [
      ...deltas(answer, ids).map(delta),
      chunk([{ index: 0, delta: {}, ...finish(answer) }]),
      ...(isUsageWanted ? [chunk([], { usage: usageOf(answer) })] : []),
      'data: [DONE]\n\n',
    ]
  },
  error: (message) => ({
    error: { message, type: 'invalid_request_error', param: null, code: 'refused' },
  }),
}

/** The name of a model in Azure. */
const DEPLOYMENT = /\/deployments\/([^/]+)\//

/** The message of a tool, or what smolagents makes of it. */
const TOOL_RESULT = /"role":"tool"|(Observation|Error):\\n(?!.*New task:)/

function head({ id, model }: AnswerIds, object: string) {
  return {
    id,
    object,
    created: CREATED,
    model,
    system_fingerprint: 'fp_1',
    service_tier: 'default',
  }
}

function finish(answer: Answer) {
  return { finish_reason: 'call' in answer ? 'tool_calls' : 'stop' }
}

function usageOf({ usage }: Answer) {
  return openaiUsage(usage, ['prompt', 'completion'])
}

function message(answer: Answer, { callId }: AnswerIds) {
  if ('text' in answer) return { role: 'assistant', content: answer.text, refusal: null }
  const call = { name: answer.call.name, arguments: argumentsOf(answer) }
  return {
    role: 'assistant',
    content: null,
    refusal: null,
    tool_calls: [{ id: callId, type: 'function', function: call }],
  }
}

function deltas(answer: Answer, { callId }: AnswerIds): readonly unknown[] {
  if ('text' in answer)
    return [
      { role: 'assistant', content: '' },
      ...pieces(answer.text).map((content) => ({ content })),
    ]
  const call = { name: answer.call.name, arguments: '' }
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ index: 0, id: callId, type: 'function', function: call }],
    },
    { tool_calls: [{ index: 0, function: { arguments: argumentsOf(answer) } }] },
  ]
}
