import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

/** The SDK of Langfuse with its wrapper for Azure, and OpenInference for other providers. */
export const langfuseModels: Sender = {
  name: 'langfuse-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: [
    'langfuse',
    'openai',
    'openinference-instrumentation-anthropic',
    'openinference-instrumentation-google-genai',
  ],
  defaults: {
    env: { ANTHROPIC_OPEN_TELEMETRY: 'false' },
    expected: { kinds: ['agent', 'model'] },
  },
  cases: providerCases(['azure', 'anthropic', 'gemini'], { mode: 'langfuse' }),
}
