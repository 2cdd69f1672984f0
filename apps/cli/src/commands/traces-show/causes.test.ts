import type { SpanRow } from '@slipway/words/span-rows'
import { expect, test } from 'vitest'

import { causes } from './causes.ts'
import { waterfall } from './waterfall.ts'

function row(depth: number, name: string, status_message?: string): SpanRow {
  const span = { name, status: 'error', status_message, latency_ms: 1, input_tokens: 0 }
  const branch = depth === 0 ? '' : `${'  '.repeat(depth - 1)}└ `
  return { span: { ...span, output_tokens: 0 } as never, depth, branch, startMs: 0 }
}

const SAID = "Error code: 500 - {'message': \"the model's gone\"}"

test.each([
  ['wrapped by the outer ones', `ServerError(${JSON.stringify(SAID)})`, SAID],
  ['wrapped by the innermost', SAID, `openai.ServerError: ${SAID}`],
])('shows a message once that is %s, of the innermost span', (_what, outer, inner) => {
  const rows = [row(0, 'POST /chat'), row(1, 'agent', outer), row(2, 'step', outer)]
  expect(causes([...rows, row(3, 'model', inner)]).map(({ span }) => span.name)).toEqual(['model'])
})

test('shows different messages, and spans without one only if none has one', () => {
  const rows = [row(0, 'root'), row(1, 'one', 'too slow'), row(1, 'two', 'not found')]
  expect(causes(rows).map(({ span }) => span.name)).toEqual(['one', 'two'])
  expect(causes(rows.slice(0, 1)).map(({ span }) => span.name)).toEqual(['root'])
})

test.each([40, 80, 120])('shows the names of deep spans in %d columns', (columns) => {
  const rows = Array.from({ length: 40 }, (_, depth) => row(depth, `s${depth}`))
  const texts = waterfall(rows, columns).map((cells) =>
    cells.map((cell) => (typeof cell === 'string' ? cell : cell.text)).join(''),
  )
  for (const [depth, text] of texts.slice(1).entries()) expect(text).toContain(`✗ s${depth} `)
})
