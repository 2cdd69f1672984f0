import type { Sender } from '../../sender.ts'

/** LlamaIndex's agents with OpenInference. */
export const llamaIndex: Sender = {
  name: 'llama-index',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: [
    'openinference-instrumentation-llama-index',
    'llama-index-core',
    'llama-index-llms-openai',
    'opentelemetry-sdk',
  ],
  defaults: { notSent: { models: 'the version that answered' } },
  cases: {
    guide: { isGuide: true },
    plain: {},
    tool: {},
    'tool-error': {},
    'model-error': {},
    stream: {},
    'stream-tool': {},
    session: {},
    nested: {},
  },
}
