import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

/** CrewAI with several providers, and OpenInference for it and for their SDKs. */
export const crewaiModels: Sender = {
  name: 'crewai-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: [
    'openinference-instrumentation-crewai',
    'openinference-instrumentation-anthropic',
    'openinference-instrumentation-bedrock',
    'openinference-instrumentation-google-genai',
    'crewai',
    'anthropic',
    'boto3',
    'google-genai',
  ],
  defaults: { expected: { kinds: ['agent', 'model'] } },
  cases: {
    // CrewAI needs an SDK of Anthropic whose streams fail with its instrumentation.
    ...providerCases(['anthropic'], { mode: 'crewai', kinds: [''] }),
    ...providerCases(['bedrock', 'gemini'], { mode: 'crewai' }),
  },
}
