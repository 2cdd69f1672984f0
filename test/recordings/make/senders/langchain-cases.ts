import type { SenderCase } from '../sender.ts'

/** The cases of LangChain's agent. An error in one of its tools ends its run. */
export const langchainCases = {
  plain: {},
  tool: {},
  'tool-error': {
    expected: {
      output: '',
      status: 'error',
      status_message: 'no weather station on Mars',
    },
  },
  'model-error': {},
  stream: {},
  'stream-tool': {},
  session: {},
  nested: {},
} as const satisfies Record<string, SenderCase>
