import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

/** AutoGen's AgentChat with Azure, and OpenInference for the OpenAI SDK. */
export const autogenModels: Sender = {
  name: 'autogen-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['autogen-agentchat', 'autogen-ext', 'openinference-instrumentation-openai', 'openai'],
  defaults: { expected: { kinds: ['agent', 'model'] } },
  cases: providerCases(['azure'], { mode: 'autogen' }),
}
