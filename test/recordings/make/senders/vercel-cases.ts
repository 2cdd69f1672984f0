import type { SenderCase } from '../sender.ts'

const withTools = { kinds: ['model', 'tool'] } as const

/** The cases of Vercel's AI SDK. Its model gets the error of a tool. */
export function vercelCases(mode: string): Record<string, SenderCase> {
  return {
    guide: { isGuide: true, expected: withTools },
    plain: { mode },
    tool: { mode, expected: withTools },
    'tool-json': {
      scenario: 'tool',
      mode,
      env: { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
      expected: withTools,
    },
    'tool-error': { mode, expected: withTools },
    'model-error': { mode },
    stream: { mode },
    'stream-tool': { mode, expected: withTools },
    session: { mode },
    nested: { mode, expected: withTools },
    embedding: { mode, expected: { kinds: ['model', 'embedding'] } },
    'chat-tool': { scenario: 'tool', mode: `${mode}+chat`, expected: withTools },
  }
}
