import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

const models = 'the name without that of the provider'

/** OpenInference's instrumentations of DSPy and of LiteLLM, with several providers. */
export const dspyModels: Sender = {
  name: 'dspy-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: [
    'openinference-instrumentation-dspy',
    'openinference-instrumentation-litellm',
    'dspy',
    'litellm',
  ],
  defaults: { env: { LITELLM_LOCAL_MODEL_COST_MAP: 'true' } },
  cases: providerCases(['anthropic', 'bedrock', 'azure'], {
    mode: 'dspy',
    kinds: [''],
    lacks: { all: { models } },
  }),
}
