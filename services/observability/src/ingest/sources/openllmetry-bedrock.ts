import { conventions } from './conventions.ts'
import { openLlmetry } from './openllmetry.ts'
import type { Source } from './source.ts'

/**
 * OpenLLMetry's instrumentation of Bedrock. Its input is what the API calls so, without the tokens
 * of caches, and its total is the sum of input and output.
 */
export const openLlmetryBedrock: Source = {
  ...openLlmetry,
  scopes: ['opentelemetry.instrumentation.bedrock'],
  signs: [],
  usage: (span, type) => {
    const usage = conventions.usage(span, type)
    return usage && { ...usage, apart: { input: true } }
  },
}
