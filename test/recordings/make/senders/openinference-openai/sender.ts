import type { Sender } from '../../sender.ts'

const noTools = { tools: 'a span for each tool, made by the program', kinds: 'as tools' }

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
    tool: { notSent: noTools },
    stream: {},
    'stream-tool': { notSent: noTools },
    'model-error': {},
    session: {},
    image: {},
    embedding: { expected: { kinds: ['model', 'embedding'] } },
    'responses-plain': { scenario: 'plain', mode: 'responses' },
    'responses-tool': { scenario: 'tool', mode: 'responses', notSent: noTools },
    'responses-stream': { scenario: 'stream', mode: 'responses' },
  },
}
