import type { Sender } from '../../sender.ts'

/** Work that a queue does later: Celery, and OpenLLMetry for the model. */
export const celery: Sender = {
  name: 'celery',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['celery', 'opentelemetry-instrumentation-celery', 'openai'],
  cases: { plain: {}, session: {}, 'model-error': {} },
}
