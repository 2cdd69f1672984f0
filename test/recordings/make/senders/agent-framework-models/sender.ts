import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

/** Microsoft's Agent Framework with several providers. */
export const agentFrameworkModels: Sender = {
  name: 'agent-framework-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: [
    'agent-framework-core',
    'agent-framework-anthropic',
    'agent-framework-bedrock',
    'agent-framework-gemini',
    'agent-framework-ollama',
    'agent-framework-openai',
  ],
  defaults: {
    env: {
      ANTHROPIC_OPEN_TELEMETRY: 'false',
      ENABLE_INSTRUMENTATION: 'true',
      ENABLE_SENSITIVE_DATA: 'true',
    },
    expected: { kinds: ['agent', 'model'] },
  },
  cases: providerCases(['anthropic', 'bedrock', 'gemini', 'azure', 'ollama'], {
    mode: 'agent-framework',
  }),
}
