import { apartInApi } from './complete-usage.ts'
import { conventions } from './conventions.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'

/** The provider that spans of agents name. */
const ITSELF = 'microsoft.agent_framework'

/**
 * Microsoft's Agent Framework. It follows the conventions, but its numbers are those of the
 * provider's API: the input of Anthropic and Bedrock has no tokens of caches, and the output of
 * Gemini no thoughts.
 * https://learn.microsoft.com/agent-framework/
 */
export const agentFramework: Source = {
  scopes: ['agent_framework'],
  signs: [],
  usage: (span, type) => {
    const usage = conventions.usage(span, type)
    return usage && { ...usage, apart: apartIn(span) }
  },
}

function apartIn(span: SentSpan): ReturnType<typeof apartInApi> {
  const provider = conventions.provider(span)
  return provider === ITSELF ? apartInApi('', conventions.model(span)) : apartInApi(provider)
}
