import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['agent', 'model', 'tool'] } as const
const failed = {
  output: '',
  status: 'error',
  status_message: 'no weather station on Mars',
} as const
const CAPTURE = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'
const setting = `${CAPTURE}=SPAN_AND_EVENT`

/** Google's Agent Development Kit. An error in a tool ends its run. */
export const googleAdk: Sender = {
  name: 'google-adk',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['google-adk', 'google-genai', 'opentelemetry-sdk'],
  defaults: {
    env: { [CAPTURE]: 'SPAN_AND_EVENT' },
    // Without another one, the program has this user.
    expected: { kinds: ['agent', 'model'], user_id: 'user' },
  },
  cases: {
    guide: { isGuide: true, expected: { ...withTools, user_id: 'user-42' } },
    plain: {},
    tool: { expected: withTools },
    'tool-error': { expected: { ...withTools, ...failed } },
    'model-error': {},
    stream: {},
    session: { expected: { user_id: 'user-42' } },
    nested: { expected: withTools },
    'tool-none': {
      scenario: 'tool',
      env: { [CAPTURE]: 'NO_CONTENT' },
      expected: withTools,
      notSent: { user_id: setting, input: setting, output: setting, tools: setting },
    },
  },
}
