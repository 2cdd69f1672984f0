import type { Sender } from '../../sender.ts'
import { vercelCases } from '../vercel-cases.ts'

/** Vercel's AI SDK 7: the spans of today, and those of earlier versions (legacy). */
export const vercelAi7: Sender = {
  name: 'vercel-ai-7',
  folder: import.meta.dirname,
  runtime: 'node',
  packages: ['ai', '@ai-sdk/otel', '@ai-sdk/openai', '@opentelemetry/sdk-node'],
  cases: {
    ...vercelCases('7'),
    'legacy-plain': { scenario: 'plain', mode: '7+legacy' },
    'legacy-tool': {
      scenario: 'tool',
      mode: '7+legacy',
      expected: { kinds: ['model', 'tool'] },
    },
    'legacy-stream': { scenario: 'stream', mode: '7+legacy' },
    'legacy-session': { scenario: 'session', mode: '7+legacy' },
  },
}
