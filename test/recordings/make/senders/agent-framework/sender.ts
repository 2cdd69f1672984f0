import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['agent', 'model', 'tool'] } as const

/** Microsoft's Agent Framework. Its model gets the error of a tool. */
export const agentFramework: Sender = {
  name: 'agent-framework',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['agent-framework-core', 'agent-framework-openai', 'openai', 'opentelemetry-sdk'],
  defaults: {
    env: { ENABLE_INSTRUMENTATION: 'true', ENABLE_SENSITIVE_DATA: 'true' },
    expected: { kinds: ['agent', 'model'] },
  },
  cases: {
    guide: { isGuide: true, expected: withTools },
    plain: {},
    tool: { expected: withTools },
    'tool-error': { expected: withTools },
    'model-error': {},
    'stream-tool': { expected: withTools },
    session: {},
    nested: { expected: withTools },
  },
}
