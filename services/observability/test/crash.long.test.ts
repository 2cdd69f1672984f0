import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createClient } from '@connectrpc/connect'
import { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'
import { createGrpcTransport } from '@slipway/shared/rpc'
import { testDatabase, testIssuer, testNats, waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { migrations } from '../src/db/migrations/index.ts'
import { startNeighbours } from './support/neighbours.ts'
import { encodeRequest, newSpanId, newTraceId, post, toOtlpSpan } from './support/otlp.ts'
import { startProcess, type ObservabilityProcess } from './support/process.ts'

const SENDERS = 8
const ACKNOWLEDGED_BEFORE_CRASH = 100
const TRACES_PER_REQUEST = 20

/** Creates a request, and returns it with its trace ids. */
function newRequest() {
  const traceIds = Array.from({ length: TRACES_PER_REQUEST }, newTraceId)
  const startMs = Date.now() - 60_000
  const spans = traceIds.flatMap((traceId) => {
    const [root, child] = [newSpanId(), newSpanId()]
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 1 }
    return [
      toOtlpSpan({ traceId, spanId: root, startMs }),
      toOtlpSpan({ traceId, spanId: child, parentSpanId: root, startMs, attributes }),
    ]
  })
  return { traceIds, body: encodeRequest(spans) }
}

test('no acknowledged span is lost or stored twice by kill -9 during the ingest', async () => {
  await using stack = new AsyncDisposableStack()
  const issuer = stack.use(await testIssuer())
  const neighbours = stack.use(await startNeighbours(issuer))
  neighbours.accounts.set('acme', 'acc-1')
  neighbours.members.add('acc-1/alice')
  neighbours.tokens.set('token', {
    accountId: 'acc-1',
    agent: 'helper',
    deploymentId: 'd',
    buildId: 'b',
  })
  const nats = stack.use(await testNats())
  const database = stack.use(await testDatabase({ migrations }))
  const directory = await mkdtemp(join(tmpdir(), 'slipway-crash-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const tokenFile = join(directory, 'token')
  await writeFile(tokenFile, await issuer.serviceToken('observability'))
  const start = () =>
    startProcess({
      AUTH_ISSUERS: issuer.issuersJson,
      SERVICE_TOKEN_FILE: tokenFile,
      NATS_URL: nats.url,
      DATABASE_URL: database.url,
      MIGRATE_ON_START: 'true',
      CATALOG_ADDRESS: neighbours.catalogAddress,
      DEPLOYER_ADDRESS: neighbours.deployerAddress,
      CLICKHOUSE_DATA_DIR: join(directory, 'traces'),
    })

  const sent: { traceIds: readonly string[]; body: Uint8Array<ArrayBuffer> }[] = []
  const acknowledged = new Set<string>()
  let isDown = false
  async function sendUntilDown({ ingestUrl }: ObservabilityProcess): Promise<void> {
    while (!isDown) {
      const request = newRequest()
      sent.push(request)
      const status = await post(ingestUrl, 'token', request.body).then(
        async (response) => (await response.arrayBuffer(), response.status),
        () => 0,
      )
      if (status === 200) for (const traceId of request.traceIds) acknowledged.add(traceId)
      else if (status === 0) return
    }
  }

  const first = await start()
  const senders = Array.from({ length: SENDERS }, () => sendUntilDown(first))
  await waitFor(() => acknowledged.size >= ACKNOWLEDGED_BEFORE_CRASH * TRACES_PER_REQUEST, {
    what: 'many acknowledged requests',
  })
  await first.kill()
  isDown = true
  await Promise.all(senders)

  const second = stack.use(await start())
  using transport = createGrpcTransport([second.grpcAddress], [TraceService])
  const traces = createClient(TraceService, transport)
  const options = { headers: { authorization: `Bearer ${await issuer.userToken('alice')}` } }
  const request = { account: 'acme', name: 'helper' }
  async function stored(): Promise<readonly string[]> {
    const ids: string[] = []
    let pageToken = ''
    do {
      const page = await traces.listTraces({ ...request, pageSize: 500, pageToken }, options)
      ids.push(...page.traces.map(({ traceId }) => traceId))
      pageToken = page.nextPageToken
    } while (pageToken !== '')
    return ids
  }

  const afterCrash = await stored()
  expect(new Set(afterCrash).size).toBe(afterCrash.length)
  expect([...acknowledged].filter((traceId) => !afterCrash.includes(traceId))).toEqual([])

  // Senders retry requests without a response; here all are sent again.
  for (const { body } of sent) await (await post(second.ingestUrl, 'token', body)).arrayBuffer()
  const total = sent.length * TRACES_PER_REQUEST
  expect((await stored()).length).toBe(total)
  expect(await traces.getSummary(request, options)).toMatchObject({
    totalTraces: BigInt(total),
    totalTokens: BigInt(total),
  })
})
