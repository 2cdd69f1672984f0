import type { Sender } from '../../sender.ts'

/** LlamaIndex's agents with OpenLLMetry. */
export const traceloopLlamaIndex: Sender = {
  name: 'traceloop-llama-index',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: [
    'opentelemetry-instrumentation-llamaindex',
    'opentelemetry-instrumentation-openai',
    'llama-index-core',
    'llama-index-llms-openai',
    'opentelemetry-sdk',
  ],
  cases: {
    plain: {},
    tool: {},
    'tool-error': {},
    // It doesn't end the spans of a run that fails.
    'model-error': { notSent: { status: 'not sent', models: 'not sent' } },
  },
}
