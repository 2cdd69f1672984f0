import type { Sender } from '../../sender.ts'
import { namedCases } from '../provider-cases.ts'

const PROVIDERS = ['anthropic', 'bedrock', 'gemini', 'azure', 'ollama']

const models = 'the name without that of the provider'
const noDetails = { cached_tokens: 'not sent', reasoning_tokens: 'not sent' }
const noWrites = { models, cost_nano_usd: 'the tokens that were written to a cache' }
const lacks = {
  ...Object.fromEntries(PROVIDERS.map((name) => [name, { models, ...noDetails }])),
  ...Object.fromEntries(PROVIDERS.map((name) => [`${name}-stream`, { models }])),
  'anthropic-stream': noWrites,
  'bedrock-stream': noWrites,
}

/** The OpenAI Agents SDK with several providers, through LiteLLM. */
export const openaiAgentsModels: Sender = {
  name: 'openai-agents-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: [
    'openai-agents',
    'litellm',
    'openinference-instrumentation-openai-agents',
    'opentelemetry-instrumentation-openai-agents',
  ],
  defaults: {
    env: { LITELLM_LOCAL_MODEL_COST_MAP: 'true' },
    expected: { kinds: ['agent', 'model'] },
  },
  cases: namedCases(PROVIDERS, { mode: 'openinference', lacks }),
}
