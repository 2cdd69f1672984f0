import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

const noTokens = { input_tokens: 'not sent', output_tokens: 'not sent' }

/** Genkit with the plugins of several providers. */
export const genkitModels: Sender = {
  name: 'genkit-models',
  folder: import.meta.dirname,
  runtime: 'node',
  packages: [
    'genkit',
    '@genkit-ai/anthropic',
    '@genkit-ai/compat-oai',
    '@genkit-ai/google-genai',
    'genkitx-ollama',
  ],
  defaults: { expected: { kinds: ['chain', 'model'] } },
  cases: {
    ...providerCases(['anthropic', 'gemini', 'openai'], { mode: 'genkit' }),
    // The plugin fails when two lines of a stream arrive at once.
    ...providerCases(['ollama'], { mode: 'genkit', kinds: [''], lacks: { ollama: noTokens } }),
  },
}
