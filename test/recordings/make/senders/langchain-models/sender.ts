import type { Sender, SenderCase } from '../../sender.ts'
import { providerCases, type Lacks } from '../provider-cases.ts'

const PROVIDERS = ['anthropic', 'bedrock', 'gemini', 'azure', 'ollama']

function casesOf(mode: string, lacks: Lacks = {}): Record<string, SenderCase> {
  const cases = providerCases(PROVIDERS, { mode, lacks })
  return Object.fromEntries(Object.entries(cases).map(([name, each]) => [`${mode}-${name}`, each]))
}

const noVersion = { models: 'the version that answered' }
const traced = {
  LANGSMITH_API_KEY: 'unused',
  LANGSMITH_TRACING: 'true',
  LANGSMITH_TRACING_MODE: 'otel',
}
const langsmith = Object.entries(casesOf('langsmith')).map(
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
    ...casesOf('openinference', { 'azure-stream': noVersion }),
    ...Object.fromEntries(langsmith),
    ...casesOf('langfuse', { 'azure-stream': noVersion }),
    ...casesOf('traceloop', {
      all: { reasoning_tokens: 'not sent' },
      'azure-stream': noVersion,
    }),
  },
}
