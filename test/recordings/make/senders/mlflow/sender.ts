import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['agent', 'model', 'tool'] } as const

/** MLflow's tracing. */
export const mlflow: Sender = {
  name: 'mlflow',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['mlflow', 'openai', 'opentelemetry-sdk'],
  defaults: { expected: { kinds: ['agent', 'model'] } },
  cases: {
    plain: {},
    tool: { expected: withTools },
    'tool-error': { expected: withTools },
    'model-error': {},
    stream: {},
    'responses-tool': { scenario: 'tool', mode: 'responses', expected: withTools },
    session: {},
  },
}
