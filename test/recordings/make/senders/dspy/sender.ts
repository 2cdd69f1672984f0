import type { Sender } from '../../sender.ts'

/** OpenInference's instrumentations of DSPy and of LiteLLM, which it calls. */
export const dspy: Sender = {
  name: 'dspy',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: [
    'openinference-instrumentation-dspy',
    'openinference-instrumentation-litellm',
    'dspy',
    'litellm',
  ],
  defaults: { notSent: { models: 'the version that answered' } },
  cases: { plain: {}, session: {}, 'model-error': {} },
}
