import type { ExpectedTool } from '@slipway/testing/recordings'
import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['agent', 'model', 'tool'] } as const
const notSent = {
  cached_tokens: 'not sent',
  reasoning_tokens: 'not sent',
  models: 'the version that answered',
}

function tool(name: string, given: object, result: string): ExpectedTool {
  return { name, arguments: JSON.stringify(given), result, error: '' }
}

/** An agent gives its answer to a tool. */
function finalAnswer(answer: string): ExpectedTool {
  return tool('final_answer', { answer }, answer)
}

const paris = tool('get_weather', { city: 'Paris' }, '21 degrees, sunny')
const withWeather = { tools: [paris, finalAnswer('It is sunny in Paris, at 21 degrees.')] }
const oslo = tool('get_weather', { city: 'Oslo' }, '-3 degrees, snow')

/** smolagents with OpenInference. */
export const smolagents: Sender = {
  name: 'smolagents',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['openinference-instrumentation-smolagents', 'smolagents', 'openai'],
  defaults: { expected: withTools, notSent },
  cases: {
    guide: { isGuide: true, expected: withWeather },
    plain: { expected: { tools: [finalAnswer('Paris is the capital of France.')] } },
    tool: { expected: withWeather },
    'stream-tool': { expected: { tools: [oslo, finalAnswer('It is snowing in Oslo.')] } },
    session: {},
  },
}
