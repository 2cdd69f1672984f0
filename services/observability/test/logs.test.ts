import { createClient } from '@connectrpc/connect'
import { LogsService } from '@slipway/proto/opentelemetry/proto/collector/logs/v1/logs_service'
import { createGrpcTransport } from '@slipway/shared/rpc'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { listTraces, newAgent, OWNER, rootSpan, startWithAccounts } from './support/agents.ts'
import { newTraceId, sendSpans, type TestSpan } from './support/otlp.ts'
import { answer, logsRequest, question, sendLogs, type TestLog } from './support/otlp-logs.ts'
import type { Platform } from './support/platform.ts'

const CALL = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' }

let platform: Platform

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

/** Returns the inputs and outputs of an agent's traces: in the list, and in each trace. */
async function shown(name: string) {
  const { traces } = await listTraces(platform, name)
  const listed = traces.map(({ input, output }) => [input, output])
  const read = await Promise.all(traces.map(({ traceId }) => getTrace(name, traceId)))
  expect(read.map(({ trace }) => [trace?.input, trace?.output])).toEqual(listed)
  return listed
}

async function getTrace(name: string, traceId: string) {
  return await platform.traces.getTrace(
    { account: 'acme', name, traceId },
    await platform.as('alice'),
  )
}

function modelSpan(changes: Partial<TestSpan> = {}): TestSpan {
  return rootSpan({ attributes: CALL, ...changes })
}

describe('a span without an input and output takes those of its log records', () => {
  const send = {
    spans: (token: string, spans: readonly TestSpan[]) =>
      sendSpans(platform.ingestUrl, token, spans),
    logs: (token: string, logs: readonly TestLog[]) => sendLogs(platform.ingestUrl, token, logs),
  }

  test.each(['spans', 'logs'] as const)('when the %s arrive first', async (first) => {
    const { name, token } = newAgent(platform)
    const span = modelSpan()
    const logs = [question('Why?', span), answer('So.', span)]
    if (first === 'spans') await send.spans(token, [span])
    await send.logs(token, logs.slice(0, 1))
    await send.logs(token, logs.slice(1))
    if (first === 'logs') await send.spans(token, [span])
    expect(await shown(name)).toEqual([['Why?', 'So.']])
    const { spans } = await getTrace(name, span.traceId)
    expect(spans).toMatchObject([
      {
        input: 'Why?',
        output: 'So.',
        inputTokens: 0n,
        events: [
          {
            name: 'gen_ai.user.message',
            attributes: { 'gen_ai.event.content': '{"content":"Why?"}' },
          },
          { name: 'gen_ai.choice' },
        ],
      },
    ])
  })

  test('and they are those of the trace if its root has none', async () => {
    const { name, token } = newAgent(platform)
    const root = rootSpan()
    const child = (index: number) =>
      modelSpan({
        traceId: root.traceId,
        parentSpanId: root.spanId,
        startMs: root.startMs + index,
        durationMs: 1,
      })
    const [first, tool, last] = [child(1), child(2), child(3)]
    await send.spans(token, [
      root,
      first,
      { ...tool, attributes: { 'gen_ai.tool.name': 't' } },
      last,
    ])
    await send.logs(
      token,
      [first, tool, last].flatMap((span, index) => [
        question(`question ${index}`, span),
        answer(`answer ${index}`, span),
      ]),
    )
    expect(await shown(name)).toEqual([['question 0', 'answer 2']])
  })

  test('in the order of the spans, also if some have their own', async () => {
    const { name, token } = newAgent(platform)
    const newestMs = Date.now() - 60_000
    for (const owner of [0, 1, 2]) {
      const root = rootSpan({ startMs: newestMs - owner * 1000 })
      const children = [0, 1, 2].map((index) => {
        const own = { 'input.value': `own ${index}`, 'output.value': `own ${index}` }
        return modelSpan({
          traceId: root.traceId,
          parentSpanId: root.spanId,
          startMs: root.startMs + index,
          attributes: index === owner ? { ...CALL, ...own } : CALL,
        })
      })
      await send.spans(token, [root, ...children])
      const logs = children.map((span, index) => [
        question(`lent ${index}`, span),
        answer(`lent ${index}`, span),
      ])
      await send.logs(token, logs.flat())
    }
    expect(await shown(name)).toEqual([
      ['own 0', 'lent 2'],
      ['lent 0', 'lent 2'],
      ['lent 0', 'own 2'],
    ])
  })

  test('but a failed run has no answer but that of its root', async () => {
    const { name, token } = newAgent(platform)
    const root = rootSpan({ isError: true })
    const child = modelSpan({
      traceId: root.traceId,
      parentSpanId: root.spanId,
      startMs: root.startMs,
    })
    await send.spans(token, [root, child])
    await send.logs(token, [question('Why?', child), answer('So.', child)])
    expect(await shown(name)).toEqual([['Why?', '']])
    await send.logs(token, [answer('Sorry.', root)])
    expect(await shown(name)).toEqual([['Why?', 'Sorry.']])
  })

  test('chosen by role, of several the last ones in time', async () => {
    const { name, token } = newAgent(platform)
    const span = modelSpan()
    const now = Date.now()
    const at = (log: TestLog, seconds: number) => ({ ...log, timeMs: now - seconds * 1000 })
    const message = (role: string, content: string) => ({
      ...question(content, span),
      event: `gen_ai.${role}.message`,
    })
    await send.spans(token, [span])
    await send.logs(token, [
      at(question('second', span), 5),
      at(question('first', span), 9),
      at(message('system', 'Be brief.'), 10),
      at(message('assistant', 'earlier answer'), 7),
      at(message('tool', 'result'), 3),
      at(answer('So.', span), 1),
    ])
    expect(await shown(name)).toEqual([['second', 'So.']])
  })

  test('but keeps its own, and lends nothing to other spans', async () => {
    const { name, token } = newAgent(platform)
    const own = modelSpan({ attributes: { ...CALL, 'input.value': 'own' } })
    const other = modelSpan({ startMs: own.startMs - 1000 })
    await send.spans(token, [own, other])
    await send.logs(token, [
      question('lent', own),
      answer('lent', own),
      // The ids of no span: either the trace or the span is another.
      answer('stray', { traceId: other.traceId, spanId: own.spanId }),
      answer('stray', { traceId: newTraceId(), spanId: other.spanId }),
    ])
    expect(await shown(name)).toEqual([
      ['own', 'lent'],
      ['', ''],
    ])
  })

  test('and shows a record once that is sent again', async () => {
    const { name, token } = newAgent(platform)
    const span = modelSpan()
    const log = { ...answer('So.', span), timeMs: Date.now() }
    await send.spans(token, [span])
    for (let count = 0; count < 3; count += 1) await send.logs(token, [log])
    const { spans } = await getTrace(name, span.traceId)
    expect(spans[0]?.events).toHaveLength(1)
  })

  test('over gRPC', async () => {
    const { name, token } = newAgent(platform)
    const span = modelSpan()
    await send.spans(token, [span])
    using transport = createGrpcTransport(platform.service.otlpGrpcAddresses, [LogsService])
    const headers = { authorization: `Bearer ${token}` }
    const response = await createClient(LogsService, transport).export(
      logsRequest([question('Why?', span), answer('So.', span)]),
      { headers },
    )
    expect(response.partialSuccess).toBeUndefined()
    expect(await shown(name)).toEqual([['Why?', 'So.']])
  })
})

test('lends nothing to the same ids of another agent, account or registration', async () => {
  const [span, ...tokens] = [modelSpan(), 'logs-1', 'logs-2', 'logs-3'] as const
  const owners = [
    { ...OWNER, agent: 'logged', agentId: 'previous' },
    { ...OWNER, agent: 'other-logged' },
    { ...OWNER, accountId: 'acc-2', agent: 'logged' },
  ]
  for (const [index, token] of tokens.entries()) {
    platform.neighbours.tokens.set(token, { ...OWNER, ...owners[index] })
    await sendLogs(platform.ingestUrl, token, [answer('secret', span)])
  }
  platform.neighbours.agents.set('acc-1/logged', {
    id: 'now',
    since: Math.floor(Date.now() / 1000),
  })
  platform.neighbours.tokens.set('logs-now', { ...OWNER, agent: 'logged', agentId: 'now' })
  await sendSpans(platform.ingestUrl, 'logs-now', [span])
  expect(await shown('logged')).toEqual([['', '']])
  expect((await getTrace('logged', span.traceId)).spans).toMatchObject([{ events: [] }])
})

test('rejects log records out of the retention, and takes others that are not kept', async () => {
  const { name, token } = newAgent(platform)
  const span = modelSpan()
  const day = 86_400_000
  await sendSpans(platform.ingestUrl, token, [span])
  const { partialSuccess } = await sendLogs(platform.ingestUrl, token, [
    { ...answer('old', span), timeMs: Date.now() - 31 * day },
    { ...answer('new', span), timeMs: Date.now() + 2 * day },
    { ...answer('other event', span), event: 'exception' },
    answer('no span', { traceId: span.traceId, spanId: '' }),
    answer('So.', span),
  ])
  expect(partialSuccess).toMatchObject({
    rejectedLogRecords: 2n,
    errorMessage:
      '1 × the log record is older than the retention period; 1 × the log record is in the future',
  })
  expect(await shown(name)).toEqual([['', 'So.']])
})
