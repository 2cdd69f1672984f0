import { readRecordings } from '@slipway/testing/recordings'
import { expect, test } from 'vitest'

import { loggedTracesIn } from '../../../test/support/recorded-traces.ts'
import { usageOf } from '../../domain/trace-usage.ts'
import { builtInPrices } from '../../prices/model-prices.ts'
import { sentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

const SCOPE = 'codex_exec'

test.each(readRecordings('codex'))('the cost of $name is that of its bill', ({ name, ...sent }) => {
  const traces = loggedTracesIn({ name, ...sent })
  const billed = sent.expected.traces.map(({ input_tokens, output_tokens, cached_tokens }) =>
    builtInPrices.costOf({
      provider: '',
      model: 'gpt-4.1-mini',
      atNs: traces[0]?.spans[0]?.startTimeNs ?? 0n,
      inputTokens: BigInt(input_tokens),
      outputTokens: BigInt(output_tokens),
      cachedTokens: BigInt(cached_tokens),
      cacheWrittenTokens: 0n,
    }),
  )
  expect(billed).not.toContain(0n)
  expect(traces.map(({ spans }) => usageOf(spans).costNanoUsd)).toEqual(billed)
})

test('the turns of a conversation have its id as their session', () => {
  const [session] = readRecordings('codex').filter(({ name }) => name.endsWith('/session'))
  const ids = loggedTracesIn(session!).map(({ spans }) => [
    ...new Set(spans.map(({ sessionId }) => sessionId).filter((id) => id !== '')),
  ])
  expect(ids).toEqual([[expect.stringMatching(/^[\da-f-]{36}$/)], ids[0]])
})

test.each([
  ['true', false],
  ['false', true],
])('a tool whose success is %s has failed: %s', (success, isError) => {
  const events = [
    {
      name: 'event otel/src/tool_result.rs:54',
      attributes: { 'event.name': 'codex.tool_result', tool_name: 'shell', success },
    },
  ]
  const span = sentSpan({ scope: SCOPE, name: 'dispatch_tool_call_with_state', events })
  expect(readSpanFacts(span)).toMatchObject({ type: 'tool', toolName: 'shell', isError })
})

test('a function that names a model without asking it is not a call', () => {
  const span = sentSpan({ scope: SCOPE, name: 'get_model_info', attributes: { model: 'gpt-5' } })
  expect(readSpanFacts(span)).toMatchObject({ type: '', model: '', sessionId: '' })
})

test.each<[string, Readonly<Record<string, string>>, boolean]>([
  ['turn/start', { 'rpc.method': 'turn/start' }, false],
  ['thread/start', { 'rpc.method': 'thread/start' }, true],
  ['auth', { 'code.module.name': 'codex_login::auth::manager' }, true],
  ['session_loop', { 'code.module.name': 'codex_core::session', thread_id: 't' }, true],
  ['codex.exec', { 'code.module.name': 'codex_exec', 'turn.id': 'u' }, true],
  ['codex.exec', { 'code.module.name': 'codex_exec' }, false],
])('%s with %j is never the root of a run: %s', (name, attributes, isNoRun) => {
  expect(readSpanFacts(sentSpan({ scope: SCOPE, name, attributes })).isNoRun).toBe(isNoRun)
})
