import { openInference } from './openinference.ts'
import type { Source } from './source.ts'

/**
 * OpenInference's instrumentation of the OpenAI Agents SDK. It names OpenAI also where the SDK asks
 * others through LiteLLM; then the name of the model begins with that of the provider.
 * https://openai.github.io/openai-agents-python/models/litellm/
 */
export const openAiAgents: Source = {
  ...openInference,
  scopes: ['openinference.instrumentation.openai_agents'],
  signs: [],
  provider: (span) =>
    PREFIX.exec(span.text('llm.model_name'))?.[1] ?? openInference.provider?.(span) ?? '',
}

/** Longer names are of no provider. */
const PREFIX = /^(?:litellm\/|any-llm\/)?([\w.-]{1,64})\//
