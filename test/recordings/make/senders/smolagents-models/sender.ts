import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

const notSent = {
  cached_tokens: 'not sent',
  reasoning_tokens: 'not sent',
  models: 'the name without that of the provider',
}

/** smolagents with several providers through LiteLLM, and OpenInference. */
export const smolagentsModels: Sender = {
  name: 'smolagents-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['openinference-instrumentation-smolagents', 'smolagents', 'litellm'],
  defaults: {
    env: { LITELLM_LOCAL_MODEL_COST_MAP: 'true' },
    expected: { kinds: ['agent', 'model', 'tool'] },
  },
  cases: providerCases(['anthropic', 'gemini'], {
    mode: 'smolagents',
    kinds: [''],
    lacks: { all: notSent },
  }),
}
