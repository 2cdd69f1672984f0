import { anthropicMessages } from './anthropic-messages.ts'
import type { ModelApi } from './model-api.ts'

/** Anthropic's messages in Vertex AI. */
export const vertexMessages: ModelApi = {
  ...anthropicMessages,
  name: 'vertex.messages',
  idPrefix: 'msg_vrtx_',
  callIdPrefix: 'toolu_vrtx_',
  readRequest: (body, path) => ({
    ...anthropicMessages.readRequest(body, path),
    model: /models\/([^/]+):/.exec(path)?.[1] ?? '',
  }),
}
