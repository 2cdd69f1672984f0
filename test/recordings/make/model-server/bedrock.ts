import { AMAZON_EVENT_STREAM, amazonEvent } from './amazon-event-stream.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import {
  argumentsOf,
  messagesWithRoles,
  pieces,
  type Answer,
  type AnswerIds,
  type ModelApi,
} from './model-api.ts'

const amazon = {
  streamType: AMAZON_EVENT_STREAM,
  lacks: ['reasoning'],
  error: (message: string) => ({ message }),
} as const

/** Bedrock's API for all its models. Its input tokens don't include those of caches. */
export const bedrockConverse: ModelApi = {
  ...amazon,
  name: 'bedrock.converse',
  idPrefix: '',
  callIdPrefix: 'tooluse_',
  readRequest: (body, path) => ({
    ...modelIn(path),
    messages: messagesWithRoles(body['messages'], (text) => text.includes('"toolResult"')),
  }),
  whole: (answer, ids) => ({
    output: { message: { role: 'assistant', content: [blockOf(answer, ids)] } },
    ...stopOf(answer),
    usage: usageOf(answer),
    metrics: { latencyMs: 400 },
  }),
  streamed: (answer, ids) => [
    amazonEvent('messageStart', { role: 'assistant' }),
    ...deltas(answer, ids),
    amazonEvent('contentBlockStop', { contentBlockIndex: 0 }),
    amazonEvent('messageStop', stopOf(answer)),
    amazonEvent('metadata', { usage: usageOf(answer), metrics: { latencyMs: 400 } }),
  ],
}

/** Anthropic's messages in Bedrock. */
export const bedrockInvoke: ModelApi = {
  ...anthropicMessages,
  ...amazon,
  name: 'bedrock.invoke',
  idPrefix: 'msg_bdrk_',
  callIdPrefix: 'toolu_bdrk_',
  readRequest: (body, path) => ({
    ...anthropicMessages.readRequest(body, path),
    ...modelIn(path),
  }),
  streamed: (answer, ids) =>
    anthropicMessages.streamed(answer, ids).map((event) => {
      const json = String(event).replace(/^event: .*\ndata: /, '')
      return amazonEvent('chunk', { bytes: Buffer.from(json.trim()).toString('base64') })
    }),
}

function modelIn(path: string): { readonly model: string; readonly stream: boolean } {
  const [, model = '', action = ''] = /^\/model\/(.+)\/([^/]+)$/.exec(path) ?? []
  return { model, stream: action.includes('stream') }
}

function usageOf({ usage: { input, output, cached, written = 0 } }: Answer) {
  return {
    inputTokens: input - cached - written,
    outputTokens: output,
    totalTokens: input + output,
    cacheReadInputTokens: cached,
    cacheWriteInputTokens: written,
  }
}

function stopOf(answer: Answer) {
  return { stopReason: 'call' in answer ? 'tool_use' : 'end_turn' }
}

function blockOf(answer: Answer, { callId }: AnswerIds) {
  if ('text' in answer) return { text: answer.text }
  const { name, arguments: input } = answer.call
  return { toolUse: { toolUseId: callId, name, input } }
}

function deltas(answer: Answer, { callId }: AnswerIds): readonly Buffer[] {
  const contentBlockIndex = 0
  if ('text' in answer)
    return pieces(answer.text).map((text) =>
      amazonEvent('contentBlockDelta', { contentBlockIndex, delta: { text } }),
    )
  const toolUse = { toolUseId: callId, name: answer.call.name }
  const delta = { toolUse: { input: argumentsOf(answer) } }
  return [
    amazonEvent('contentBlockStart', { contentBlockIndex, start: { toolUse } }),
    amazonEvent('contentBlockDelta', { contentBlockIndex, delta }),
  ]
}
