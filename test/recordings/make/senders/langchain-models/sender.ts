import type { Sender } from '../../sender.ts'
import { namedCases } from '../provider-cases.ts'

const PROVIDERS = ['anthropic', 'bedrock', 'gemini', 'azure', 'ollama']

const noVersion = { models: 'the version that answered' }
const traced = {
  LANGSMITH_API_KEY: 'unused',
  LANGSMITH_TRACING: 'true',
  LANGSMITH_TRACING_MODE: 'otel',
}
const langsmith = Object.entries(namedCases(PROVIDERS, { mode: 'langsmith' })).map(
  ([name, each]) => [name, { ...each, env: traced }] as const,
)

/** LangChain with the models of several providers, reported by four senders. */
export const langchainModels: Sender = {
  name: 'langchain-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: [
    'langchain',
    'langsmith',
    'langfuse',
    'openinference-instrumentation-langchain',
    'opentelemetry-instrumentation-langchain',
  ],
  defaults: { env: { ANTHROPIC_OPEN_TELEMETRY: 'false' } },
  cases: {
    ...namedCases(PROVIDERS, {
      mode: 'openinference',
      lacks: { 'azure-stream': noVersion },
    }),
    ...Object.fromEntries(langsmith),
    ...namedCases(PROVIDERS, { mode: 'langfuse', lacks: { 'azure-stream': noVersion } }),
    ...namedCases(PROVIDERS, {
      mode: 'traceloop',
      lacks: { all: { reasoning_tokens: 'not sent' }, 'azure-stream': noVersion },
    }),
  },
}
