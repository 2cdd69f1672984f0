import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

/** Pydantic AI with the models of several providers. */
export const pydanticAiModels: Sender = {
  name: 'pydantic-ai-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['pydantic-ai-slim', 'anthropic', 'boto3', 'google-genai', 'openai'],
  defaults: { env: { ANTHROPIC_OPEN_TELEMETRY: 'false' }, expected: { kinds: ['agent', 'model'] } },
  cases: providerCases(['anthropic', 'bedrock', 'gemini', 'azure'], { mode: 'pydantic-ai' }),
}
