import { apartInApi } from './complete-usage.ts'
import { openInference } from './openinference.ts'
import type { Source } from './source.ts'

/**
 * OpenInference's instrumentation of Agno, whose numbers are those of the provider's API.
 * https://docs.agno.com/
 */
export const agno: Source = {
  ...openInference,
  scopes: ['openinference.instrumentation.agno'],
  signs: [],
  usage: (span, type) => {
    const usage = openInference.usage?.(span, type)
    return usage && { ...usage, apart: apartInApi(span.text('llm.provider', 'llm.system')) }
  },
}
