import { vendorOf } from './complete-usage.ts'
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
    const vendor = vendorIn(span)
    const apart = { input: vendor === 'anthropic', output: vendor === 'google' }
    return usage && { ...usage, apart }
  },
}

/** Other providers of the same models count as OpenAI does. */
function vendorIn(span: SentSpan): ReturnType<typeof vendorOf> {
  const provider = conventions.provider(span)
  return provider === ITSELF ? vendorOf('', conventions.model(span)) : vendorOf(provider, '')
}
