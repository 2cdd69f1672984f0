import type { Sender } from '../../sender.ts'

const latest = { OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental' }
const withTools = { kinds: ['agent', 'model', 'tool'] } as const
const notSent = { reasoning_tokens: 'not sent', models: 'the version that answered' }

/** Strands Agents. Its model gets the error of a tool. It streams every answer. */
export const strands: Sender = {
  name: 'strands',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['strands-agents', 'openai', 'opentelemetry-sdk'],
  defaults: { expected: { kinds: ['agent', 'model'] }, notSent },
  cases: {
    guide: { isGuide: true, expected: withTools },
    plain: {},
    tool: { expected: withTools },
    'tool-error': { expected: withTools },
    'model-error': {},
    session: {},
    nested: { expected: withTools },
    'latest-plain': { scenario: 'plain', env: latest },
    'latest-tool': { scenario: 'tool', env: latest, expected: withTools },
    'latest-session': { scenario: 'session', env: latest },
  },
}
