import { isRecord, toText } from '../messages/plain-json.ts'
import { openInference } from './openinference.ts'
import { NO_CONTENT, type Source } from './source.ts'

/**
 * OpenInference's instrumentation of CrewAI. The input of an agent is its definition; its task is
 * in the output.
 */
export const crewAi: Source = {
  ...openInference,
  scopes: ['openinference.instrumentation.crewai'],
  signs: [],
  input: (span) => {
    const value = span.value('input.value')
    if (!isRecord(value) || !isRecord(value['agent']))
      return openInference.input?.(span) ?? NO_CONTENT
    const output = span.value('output.value')
    const task = isRecord(output) ? toText(output['description']) : ''
    return task === '' ? NO_CONTENT : { text: task, messages: [] }
  },
}
