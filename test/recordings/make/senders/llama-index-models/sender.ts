import type { Sender } from '../../sender.ts'
import { namedCases } from '../provider-cases.ts'

const PROVIDERS = ['anthropic', 'bedrock', 'gemini', 'azure', 'ollama']

const version = { models: 'the version that answered' }
const noCached = { cached_tokens: 'not sent' }
const lacks = {
  gemini: noCached,
  'gemini-stream': noCached,
  azure: version,
  'azure-stream': version,
}
const noModel = { models: 'not sent for streams', cost_nano_usd: 'the model' }

/** LlamaIndex's agent with several providers, reported by OpenInference or OpenLLMetry. */
export const llamaIndexModels: Sender = {
  name: 'llama-index-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: [
    'openinference-instrumentation-llama-index',
    'opentelemetry-instrumentation-llamaindex',
    'llama-index-core',
    'llama-index-llms-anthropic',
    'llama-index-llms-bedrock-converse',
    'llama-index-llms-google-genai',
    'llama-index-llms-azure-openai',
    'llama-index-llms-ollama',
  ],
  defaults: { env: { ANTHROPIC_OPEN_TELEMETRY: 'false' } },
  cases: {
    ...namedCases(PROVIDERS, { mode: 'openinference', lacks }),
    ...namedCases(['anthropic'], { mode: 'traceloop', lacks: { 'anthropic-stream': noModel } }),
  },
}
