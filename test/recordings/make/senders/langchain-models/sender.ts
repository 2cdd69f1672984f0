import type { Sender, SenderCase } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

const PROVIDERS = ['anthropic', 'bedrock', 'gemini', 'azure', 'ollama']

function casesOf(mode: string): Record<string, SenderCase> {
  const cases = providerCases(PROVIDERS, { mode })
  return Object.fromEntries(Object.entries(cases).map(([name, each]) => [`${mode}-${name}`, each]))
}

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
    ...casesOf('openinference'),
    ...Object.fromEntries(langsmith),
    ...casesOf('langfuse'),
    ...casesOf('traceloop'),
  },
}
