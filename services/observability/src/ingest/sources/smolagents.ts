import { isRecord } from '../messages/plain-json.ts'
import { openInference } from './openinference.ts'
import { NO_CONTENT, type Source } from './source.ts'

/**
 * OpenInference's instrumentation of smolagents. The input of a step is the object of Python that
 * keeps its state.
 */
export const smolagents: Source = {
  ...openInference,
  scopes: ['openinference.instrumentation.smolagents'],
  signs: [],
  input: (span) => {
    const value = span.value('input.value')
    if (isRecord(value) && 'memory_step' in value) return NO_CONTENT
    return openInference.input?.(span) ?? NO_CONTENT
  },
}
