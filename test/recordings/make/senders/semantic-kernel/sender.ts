import type { Sender } from '../../sender.ts'

/** The tools of an agent are named with their plugin. */
function calling(city: string, { result = '', error = '' }) {
  const name = 'Weather-get_weather'
  return {
    kinds: ['agent', 'model', 'tool'],
    tools: [{ name, arguments: JSON.stringify({ city }), result, error }],
  } as const
}

const notSent = {
  cached_tokens: 'not sent',
  reasoning_tokens: 'not sent',
  models: 'the version that answered',
}
const SETTING = 'SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE'

/** Semantic Kernel, with its messages in log records. Its model gets the error of a tool. */
export const semanticKernel: Sender = {
  name: 'semantic-kernel',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['semantic-kernel', 'openai', 'opentelemetry-sdk'],
  defaults: { env: { [SETTING]: 'true' }, expected: { kinds: ['agent', 'model'] }, notSent },
  cases: {
    plain: {},
    tool: { expected: calling('Paris', { result: '21 degrees, sunny' }) },
    'tool-error': { expected: calling('Mars', { error: 'no weather station on Mars' }) },
    'model-error': {},
    'stream-tool': { expected: calling('Oslo', { result: '-3 degrees, snow' }) },
    session: {},
  },
}
