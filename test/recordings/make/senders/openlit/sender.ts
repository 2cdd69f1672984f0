import { NO_TOOLS, type Sender } from '../../sender.ts'

const noReasoning = { reasoning_tokens: 'the Responses API' }

/** OpenLIT. */
export const openlit: Sender = {
  name: 'openlit',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['openlit', 'openai', 'opentelemetry-sdk'],
  cases: {
    plain: { notSent: noReasoning },
    stream: { notSent: noReasoning },
    'stream-tool': { notSent: NO_TOOLS },
    'responses-plain': { scenario: 'plain', mode: 'responses' },
    'model-error': { notSent: { input: 'not sent for a call that failed' } },
  },
}
