import { startDurableConsumer, connectNats } from '@slipway/shared/events'
import { createLogger } from '@slipway/shared/logger'
import { renderMetrics, startTelemetry } from '@slipway/shared/telemetry'
import { testCollector, waitFor, type CollectedSpan } from '@slipway/testing'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'

import { personalAccount, request } from '../support/api.ts'
import { register, startCatalogAndGateways } from '../support/catalog-and-gateways.ts'
import { fromStack } from '../support/environment.ts'
import { lintMetrics, readSamples } from '../support/prometheus.ts'

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT'
const TRACE_ID = 'c'.repeat(31) + '1'
const CALLER_SPAN_ID = 'd'.repeat(15) + '1'
const [SERVER, CLIENT, CONSUMER] = [2, 3, 5]

afterEach(() => {
  delete process.env[ENDPOINT]
})

test('traces a REST request through the RPC and the event to its consumer', async () => {
  await using collector = await testCollector()
  process.env[ENDPOINT] = collector.url
  {
    await using _telemetry = await startTelemetry('test', process.env)
    await using system = await startCatalogAndGateways([{}])
    const logger = createLogger('test', 'silent')
    await using nats = connectNats({ url: system.nats.url, name: 'test', logger })
    const handled: string[] = []
    await using _consumer = startDurableConsumer({
      nats,
      logger,
      durable: 'test-consumer',
      filterSubjects: ['slipway.version.>'],
      handle: async ({ id }) => void handled.push(id),
    })
    const account = await register(system, 0, { as: 'alice', name: 'traced', buildId: 'b1' })
    const published = await system.send(0, 'POST', `/agents/${account}/traced/publish`, {
      as: 'alice',
      body: { build_id: 'b1', version: '1.0.0' },
      headers: {
        traceparent: `00-${TRACE_ID}-${CALLER_SPAN_ID}-01`,
        tracestate: 'vendor=1',
      },
    })
    expect(published.status).toBe(201)
    await waitFor(() => handled.length > 0, { what: 'the event' })
  }
  const inTrace = () => collector.spans.filter(({ traceId }) => traceId === TRACE_ID)
  await waitFor(() => inTrace().length >= 4, { what: 'the spans' })
  const chain: CollectedSpan[] = []
  for (let parent = CALLER_SPAN_ID; ;) {
    const next = inTrace().filter(({ parentSpanId }) => parentSpanId === parent)
    expect(next.length).toBeLessThanOrEqual(1)
    const [span] = next
    if (span === undefined) break
    chain.push(span)
    parent = span.spanId
  }
  const publish = 'slipway.catalog.v1.AgentService/PublishBuild'
  expect(
    chain.map(({ name, kind, isError, traceState }) => [name, kind, isError, traceState]),
  ).toEqual([
    ['POST /api/v1/agents/:account/:name/publish', SERVER, false, 'vendor=1'],
    [publish, CLIENT, false, 'vendor=1'],
    [publish, SERVER, false, 'vendor=1'],
    ['process test-consumer', CONSUMER, false, ''],
  ])
  expect(inTrace()).toHaveLength(chain.length)
})

test('an issuer without audience is reported and counted, and its tokens work', async () => {
  await using _telemetry = await startTelemetry('test', {})
  const log: string[] = []
  await using install = await startCatalogAndGateways([{}], [], {
    logger: createLogger('test', 'info', { write: (line) => void log.push(line) }),
    issuersOf: (url) => [{ issuer: url, realm: 'test' }],
  })
  const setting = 'AUTH_ISSUERS.audience'
  const counter = `slipway_unsafe_settings_total{setting="${setting}"} `
  // One of the gateway, one of the catalog.
  expect(await renderMetrics()).toContain(`${counter}2\n`)
  const reported = log.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(reported.filter(({ event }) => event === 'unsafe_setting')).toEqual(
    [1, 2].map(() =>
      expect.objectContaining({
        level: 'warn',
        setting,
        problem: expect.stringContaining(install.issuer.url),
        remedy: expect.stringContaining('any_audience'),
      }),
    ),
  )
  const token = await install.issuer.userToken('alice', { claims: { aud: 'another-application' } })
  const headers = { authorization: `Bearer ${token}` }
  expect((await install.send(0, 'GET', '/me', { headers })).status).toBe(200)
})

describe('the metrics of every process', () => {
  const metricsOf = async (service: string): Promise<string> => {
    const [address = ''] = fromStack(`${service}_OPS`).split(',')
    const response = await fetch(`http://${address}/metrics`)
    expect([service, response.status]).toEqual([service, 200])
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    return await response.text()
  }
  let account: string
  // A process has no request metrics before its first request.
  beforeAll(async () => {
    account = await personalAccount('alice')
    await request('GET', `/deployments?account=${account}`, { as: 'alice' })
    await request('GET', `/agents/${account}/counted/observability/summary`, { as: 'alice' })
  })

  /** The sum of a histogram's counts over all series with these labels. */
  const countOf = (text: string, name: string, ...labels: readonly string[]): number =>
    readSamples(text)
      .samples.filter(
        (each) =>
          each.name === `${name}_count` && labels.every((label) => each.labels.includes(label)),
      )
      .reduce((sum, { value }) => sum + value, 0)

  test.each(['CATALOG', 'DEPLOYER', 'OBSERVABILITY', 'GATEWAY'])(
    'follow Prometheus’ conventions: %s',
    async (service) => {
      const family =
        service === 'GATEWAY' ? 'http_server_request_duration' : 'rpc_server_call_duration'
      // A response counts a moment after it was sent.
      await expect
        .poll(async () => await metricsOf(service))
        .toContain(`# TYPE ${family}_seconds histogram`)
      expect(lintMetrics(await metricsOf(service))).toEqual([])
    },
  )

  test('count each request by route and each RPC by name, with their status', async () => {
    const route = 'http_route="/api/v1/agents/:account/:name/observability/summary"'
    const rpc = 'rpc_method="slipway.observability.v1.TraceService/GetSummary"'
    const count = async () => {
      const [gateway, observability] = [
        await metricsOf('GATEWAY'),
        await metricsOf('OBSERVABILITY'),
      ]
      const routes = (status: number) =>
        countOf(
          gateway,
          'http_server_request_duration_seconds',
          route,
          `http_response_status_code="${status}"`,
        )
      const calls = (code: string) =>
        countOf(
          observability,
          'rpc_server_call_duration_seconds',
          rpc,
          `rpc_response_status_code="${code}"`,
        )
      return [routes(200), routes(403), calls('ok'), calls('permission_denied')]
    }
    const before = await count()
    const path = `/agents/${account}/counted/observability/summary`
    expect((await request('GET', path, { as: 'alice' })).status).toBe(200)
    expect((await request('GET', path, { as: 'mallory' })).status).toBe(403)
    // Other tests send requests at the same time, and a response counts a moment after it was sent.
    const isCounted = async () =>
      (await count()).every((each, index) => each > (before[index] ?? 0))
    await waitFor(isCounted, { what: 'all requests to be counted' })
  })

  test('have a bounded number of labels: no account, agent, path or token', async () => {
    const marker = `unbounded-${Date.now()}`
    await request('GET', `/agents/${marker}/${marker}/observability/summary`, { as: 'alice' })
    await request('GET', `/${marker}`)
    for (const service of ['CATALOG', 'OBSERVABILITY', 'GATEWAY'])
      expect(await metricsOf(service)).not.toContain(marker)
  })
})
