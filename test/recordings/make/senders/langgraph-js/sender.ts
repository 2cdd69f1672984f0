import type { Sender } from '../../sender.ts'

/** The spans of tools have the value of their only argument, without its name. */
function calling(name: string, argument: string, { result = '', error = '' }) {
  return { tools: [{ name, arguments: JSON.stringify(argument), result, error }] }
}

const paris = calling('get_weather', 'Paris', { result: '21 degrees, sunny' })
const oslo = calling('get_weather', 'Oslo', { result: '-3 degrees, snow' })
const mars = calling('get_weather', 'Mars', { error: 'no weather station on Mars' })
const sight = { result: 'The Pantheon is a sight in Rome.' }
const notSent = { models: 'the version that answered a stream' }

/** LangGraph for JavaScript with OpenInference. Its model gets the error of a tool. */
export const langgraphJs: Sender = {
  name: 'langgraph-js',
  folder: import.meta.dirname,
  runtime: 'node',
  packages: [
    '@arizeai/openinference-instrumentation-langchain',
    '@langchain/langgraph',
    '@langchain/core',
    '@langchain/openai',
  ],
  cases: {
    guide: { isGuide: true, expected: paris },
    plain: {},
    tool: { expected: paris },
    'tool-error': { expected: mars },
    'model-error': {},
    stream: { notSent },
    'stream-tool': { expected: oslo, notSent },
    session: {},
    nested: { expected: calling('ask_guide', 'Name a sight in Rome.', sight) },
  },
}
