import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest'

import { request, type Answer } from '../support/api.ts'
import { callService, untilReplaced } from '../support/cluster.ts'
import { fromStack } from '../support/environment.ts'
import { ingestTokenOf, newTraceId, sendSpans } from '../support/ingest.ts'
import {
  API_TOKEN,
  registerSupportAgent,
  undeploy,
  type RegisteredAgent,
} from '../support/support-agent.ts'

const NAME = 'observed-agent'
// On a stack that was used before, the agent has earlier traces; these builds are new.
const FIRST_BUILD = `first-${Date.now()}`
const SECOND_BUILD = `second-${Date.now()}`
let agent: RegisteredAgent
let namespace: string
let token: string

const path = (rest: string) => `/agents/${agent.account}/${NAME}/observability/${rest}`
const read = (rest: string): Promise<Answer> => request('GET', path(rest), { as: 'alice' })

async function register(buildId: string): Promise<void> {
  const registry = `http://${fromStack('SLIPWAY_REGISTRY')}`
  const body = { build_id: buildId, registry, spec_content: agent.spec }
  const answer = await request('POST', `/agents/${agent.account}/${NAME}/register`, {
    as: 'alice',
    body,
  })
  expect(answer.status).toBe(201)
}

async function totalOf(query = ''): Promise<number> {
  const { status, body } = await read(`traces${query}`)
  expect(status).toBe(200)
  return body.total
}

async function deploy(query: string): Promise<void> {
  const body = {
    account: agent.account,
    name: NAME,
    user_credentials: { SUPPORT_API_TOKEN: API_TOKEN },
  }
  const answer = await request('POST', `/deploy${query}`, { as: 'alice', body })
  expect([answer.status, answer.body.errors]).toEqual([200, []])
  namespace = answer.body.k8s_namespace
}

/** Sends the agent in its pod a message and returns its response. */
async function chat(
  message: string,
): Promise<{ trace_id: string; answer: string; usage: Record<string, number> }> {
  return (await callService(namespace, `${NAME}-agent`, 8080, '/chat', { message })) as never
}

/** Waits for a trace with all three spans of a response, and records how long that took. */
async function untilThere(traceId: string, { annotate }: TestContext): Promise<Answer['body']> {
  const startedAt = performance.now()
  const body = await waitFor(
    async () => {
      const answer = await read(`traces/${traceId}`)
      return answer.status === 200 && answer.body.span_count === 3 ? answer.body : undefined
    },
    { what: `the trace ${traceId}` },
  )
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(2)
  await annotate(`the trace could be read ${seconds} s after the agent had answered`)
  return body
}

/**
 * Whether a token is rejected. Sends no span, so that nothing is counted while the token still
 * works.
 */
const isRefused = async (old: string) => (await sendSpans(old, [])).status === 401

beforeAll(async () => {
  agent = await registerSupportAgent(NAME)
  await register(FIRST_BUILD)
})
afterAll(async () => {
  await undeploy(agent)
})

describe('the traces of an agent in its pod', () => {
  test('are accepted as soon as the deploy has responded', async () => {
    await deploy('')
    token = await ingestTokenOf(namespace)
    expect(
      (await sendSpans(token, [{ traceId: newTraceId(), name: 'before the pod' }])).status,
    ).toBe(200)
    await deploy('?wait=120')
    expect(await ingestTokenOf(namespace)).toBe(token)
  })

  test('are returned span by span, with input, output, model and tokens', async (context) => {
    const said = await chat('How do I share a folder?')
    const trace = await untilThere(said.trace_id, context)
    expect(trace).toMatchObject({
      trace_id: said.trace_id,
      name: 'POST /chat',
      status: 'ok',
      input: 'How do I share a folder?',
      output: said.answer,
      input_tokens: said.usage['input_tokens'],
      output_tokens: said.usage['output_tokens'],
    })
    const [root, ...others] = trace.spans
    expect([root.kind, root.build_id, others]).toEqual(['server', FIRST_BUILD, []])
    const generation = root.children.find(({ model }: { model?: string }) => model !== undefined)
    expect(generation).toMatchObject({
      name: 'chat extractive-1',
      model: 'extractive-1',
      input_tokens: said.usage['input_tokens'],
      output_tokens: said.usage['output_tokens'],
    })
    expect(generation.input).toContain('How do I share a folder?')
    expect(said.answer).toContain(generation.output)
  })

  test('are in list, buckets and summary, with the same totals', async () => {
    const end = new Date().toISOString()
    const range = `end_time=${end}`
    const list = await read(`traces?${range}`)
    const summary = await read(`summary?${range}`)
    const metrics = await read(`metrics?${range}&interval=5`)
    expect([list.status, summary.status, metrics.status]).toEqual([200, 200, 200])
    const { buckets } = metrics.body as { buckets: Record<string, number>[] }
    const sum = (key: string) => buckets.reduce((total, bucket) => total + (bucket[key] ?? 0), 0)
    expect(list.body.total).toBeGreaterThan(0)
    expect(summary.body.total_traces).toBe(list.body.total)
    expect(sum('trace_count')).toBe(list.body.total)
    expect(summary.body.metrics.total_tokens).toBeGreaterThan(0)
    expect(sum('input_tokens') + sum('output_tokens')).toBe(summary.body.metrics.total_tokens)
    expect(summary.body.time_range).toEqual(metrics.body.time_range)
    expect(metrics.body.interval_minutes).toBe(5)
  })

  test('stay with the agent over a redeploy, each with its build', async (context) => {
    const before = await totalOf()
    await register(SECOND_BUILD)
    await deploy('?wait=120')
    await untilReplaced(namespace, 'agent')
    const said = await chat('Where are my invoices?')
    const trace = await untilThere(said.trace_id, context)
    expect(trace.spans[0].build_id).toBe(SECOND_BUILD)
    expect(await totalOf()).toBe(before + 1)
    const ofBuild = (buildId: string) => totalOf(`?build_id=${buildId}`)
    expect([await ofBuild(FIRST_BUILD), await ofBuild(SECOND_BUILD)]).toEqual([2, 1])
  })

  test('need the new ingest token after a rotation', async (context) => {
    const old = await ingestTokenOf(namespace)
    const rotate = `/agents/${agent.account}/${NAME}/deployment/rotate-ingest-token`
    expect((await request('POST', rotate, { as: 'alice' })).status).toBe(200)
    token = await ingestTokenOf(namespace)
    expect(token).not.toBe(old)
    for (const each of [token, old]) {
      const span = { traceId: newTraceId(), name: 'after the rotation' }
      expect((await sendSpans(each, [span])).status).toBe(200)
    }
    const previous = token
    expect((await request('POST', `${rotate}?grace=0`, { as: 'alice' })).status).toBe(200)
    token = await ingestTokenOf(namespace)
    for (const each of [old, previous])
      await waitFor(() => isRefused(each), { what: 'the old token to be rejected' })
    await deploy('?wait=120')
    expect((await untilReplaced(namespace, 'agent')).status.phase).toBe('Running')
    await untilThere((await chat('Can I export my data?')).trace_id, context)
  })

  test('end with the undeploy, and stay readable', async () => {
    const before = await totalOf()
    expect(before).toBeGreaterThan(0)
    await undeploy(agent)
    await waitFor(() => isRefused(token), { what: 'the token to be rejected' })
    expect(await totalOf()).toBe(before)
  })
})
