import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['agent', 'model', 'tool'] } as const

/** CrewAI with OpenInference. */
export const crewai: Sender = {
  name: 'crewai',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: [
    'openinference-instrumentation-crewai',
    'openinference-instrumentation-openai',
    'crewai',
    'opentelemetry-sdk',
  ],
  defaults: { expected: { kinds: ['agent', 'model'] } },
  cases: {
    guide: { isGuide: true, expected: withTools },
    plain: {},
    tool: { expected: withTools },
    'tool-error': { expected: withTools },
    'model-error': {},
    session: {},
    nested: { expected: withTools },
  },
}
