import {
  dataEvent,
  messagesWithRoles,
  type Answer,
  type AnswerIds,
  type ModelApi,
} from './model-api.ts'

/** Google's Gemini. Its candidates' tokens don't include the reasoning ones. */
export const gemini: ModelApi = {
  name: 'gemini.generate-content',
  idPrefix: '',
  callIdPrefix: 'call_',
  lacks: ['written'],
  readRequest: (body, path) => ({
    model: /models\/([^/:]+):/.exec(path)?.[1] ?? '',
    stream: path.endsWith(':streamGenerateContent'),
    messages: messagesWithRoles(body['contents'], (text) => /"function_?[rR]esponse"/.test(text)),
  }),
  whole,
  streamed: (answer, ids) => [dataEvent(whole(answer, ids))],
  error: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
}

function whole(answer: Answer, { id, callId, model }: AnswerIds) {
  const { input, output, cached, reasoning } = answer.usage
  const part =
    'text' in answer
      ? { text: answer.text }
      : { functionCall: { id: callId, name: answer.call.name, args: answer.call.arguments } }
  return {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output - reasoning,
      cachedContentTokenCount: cached,
      thoughtsTokenCount: reasoning,
      totalTokenCount: input + output,
    },
    modelVersion: model,
    responseId: id,
  }
}
