import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

/** Strands Agents with the models of several providers. */
export const strandsModels: Sender = {
  name: 'strands-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['strands-agents', 'anthropic', 'boto3', 'google-genai', 'ollama'],
  defaults: { expected: { kinds: ['agent', 'model'] } },
  cases: providerCases(['anthropic', 'bedrock', 'gemini', 'ollama'], {
    mode: 'strands',
    kinds: [''],
    lacks: { gemini: { reasoning_tokens: 'not sent' } },
  }),
}
