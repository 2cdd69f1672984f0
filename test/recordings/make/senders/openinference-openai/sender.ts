import { NO_TOOLS, type Sender } from '../../sender.ts'

/** OpenInference's instrumentation of the OpenAI SDK. */
export const openinferenceOpenai: Sender = {
  name: 'openinference-openai',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['openinference-instrumentation-openai', 'openai', 'opentelemetry-sdk'],
  cases: {
    guide: { scenario: 'guide-plain', isGuide: true },
    plain: {},
    'plain-without-root': { scenario: 'plain', mode: 'without-root' },
    tool: { notSent: NO_TOOLS },
    stream: {},
    'stream-tool': { notSent: NO_TOOLS },
    'model-error': {},
    session: {},
    image: {},
    embedding: { expected: { kinds: ['model', 'embedding'] } },
    'responses-plain': { scenario: 'plain', mode: 'responses' },
    'responses-tool': { scenario: 'tool', mode: 'responses', notSent: NO_TOOLS },
    'responses-stream': { scenario: 'stream', mode: 'responses' },
  },
}
