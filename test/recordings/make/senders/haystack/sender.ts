import type { Sender } from '../../sender.ts'

/** Haystack's agent with OpenInference. */
export const haystack: Sender = {
  name: 'haystack',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['haystack-ai', 'openinference-instrumentation-haystack', 'openai'],
  defaults: {
    expected: { kinds: ['chain', 'model'] },
    notSent: {
      cached_tokens: 'not sent',
      reasoning_tokens: 'not sent',
      tools: 'a span for each tool, made by the program',
    },
  },
  cases: { plain: {}, tool: {}, 'model-error': {}, session: {} },
}
