import type { Sender } from '../../sender.ts'
import { namedCases } from '../provider-cases.ts'

const lacks = {
  'anthropic-stream': { output_tokens: 'also counts those of the first event' },
  'azure-stream': { models: 'the version that answered' },
}
const PROVIDERS = ['anthropic', 'bedrock', 'gemini', 'azure', 'ollama']

/** LangGraph for JavaScript with several providers, reported by OpenInference or Langfuse. */
export const langgraphJsModels: Sender = {
  name: 'langgraph-js-models',
  folder: import.meta.dirname,
  runtime: 'node',
  packages: [
    '@arizeai/openinference-instrumentation-langchain',
    '@langfuse/langchain',
    '@langchain/core',
    '@langchain/langgraph',
    '@langchain/anthropic',
    '@langchain/aws',
    '@langchain/google-genai',
    '@langchain/ollama',
    '@langchain/openai',
  ],
  cases: {
    ...namedCases(PROVIDERS, { mode: 'openinference', lacks }),
    ...namedCases(PROVIDERS, { mode: 'langfuse', lacks }),
  },
}
