import type { Sender } from '../../sender.ts'
import { providerCases, sdkProviders } from '../provider-cases.ts'

const firstTokens = { output_tokens: 'also counts those of the first event' }
const noRegion = { models: 'neither the region nor the vendor' }
const noCaches = {
  input_tokens: '`converse`',
  cached_tokens: '`converse`',
}
const noThoughts = { reasoning_tokens: 'not sent for streams' }
const lacks = {
  'anthropic-stream': firstTokens,
  'anthropic-vertex-stream': firstTokens,
  'anthropic-bedrock-stream': firstTokens,
  bedrock: noRegion,
  'bedrock-stream': noRegion,
  'bedrock-invoke': noCaches,
  'bedrock-invoke-stream': noCaches,
  'openai-stream': noThoughts,
  'azure-stream': noThoughts,
}

/** OpenLLMetry's instrumentations of the SDKs of providers. */
export const traceloopModels: Sender = {
  name: 'traceloop-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: [
    'opentelemetry-instrumentation-anthropic',
    'opentelemetry-instrumentation-bedrock',
    'opentelemetry-instrumentation-google-generativeai',
    'opentelemetry-instrumentation-ollama',
    'opentelemetry-instrumentation-openai',
  ],
  defaults: { env: { ANTHROPIC_OPEN_TELEMETRY: 'false' } },
  cases: providerCases([...sdkProviders, 'ollama'], { mode: 'traceloop', lacks }),
}
