import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { fromBinary } from '@bufbuild/protobuf'
import { ExportTraceServiceResponseSchema } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import { createDatabase } from '@slipway/shared/db'
import { waitFor } from '@slipway/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { listTraces, OWNER, rootSpan, startWithAccounts } from './support/agents.ts'
import { encodeRequest, post, toOtlpSpan } from './support/otlp.ts'
import { answer, sendLogs } from './support/otlp-logs.ts'
import type { Platform } from './support/platform.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let platform: Platform
let folder: string
/** How far the service's clock is ahead. */
let aheadMs = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limits-'))
  await writeFile(join(folder, 'limits.yaml'), '')
  platform = await startWithAccounts(
    { ACCOUNT_LIMITS_FILE: join(folder, 'limits.yaml') },
    { clock: () => Date.now() + aheadMs, limitsIntervalMs: 20 },
  )
})
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** A new account of alice with an agent. */
function newAccount(name: string, { spansToday = 0 } = {}) {
  const { neighbours, databaseUrl, ingestUrl, traces, as } = platform
  const accountId = crypto.randomUUID()
  neighbours.accounts.set(name, accountId)
  neighbours.members.add(`${accountId}/alice`)
  neighbours.tokens.set(name, { ...OWNER, accountId })
  return {
    accountId,
    /** Makes the account appear to have sent spans today. */
    async stored() {
      await using db = createDatabase({ url: databaseUrl, applicationName: 'test' })
      await sql`INSERT INTO span_usage VALUES (${accountId}, current_date, ${spansToday})`.execute(
        db,
      )
    },
    async send(count: number, attributes: Readonly<Record<string, string>> = {}) {
      const spans = Array.from({ length: count }, () => toOtlpSpan(rootSpan({ attributes })))
      const response = await post(ingestUrl, name, encodeRequest(spans))
      const body = new Uint8Array(await response.arrayBuffer())
      const { partialSuccess } = fromBinary(ExportTraceServiceResponseSchema, body)
      return {
        status: response.status,
        rejected: Number(partialSuccess?.rejectedSpans ?? 0),
        message: partialSuccess?.errorMessage ?? '',
        remaining: Number(response.headers.get('ratelimit-remaining')),
        resetSeconds: Number(response.headers.get('ratelimit-reset')),
      }
    },
    total: async () => {
      const owner = { subject: 'alice', account: name }
      return Number((await listTraces(platform, OWNER.agent, {}, owner)).total)
    },
    usage: async () =>
      (await traces.getAccountUsage({ account: name }, await as('alice'))).uses.map(
        ({ limit, used, bound }) => [limit, Number(used), Number(bound)],
      ),
  }
}

test('an account stores at most 20 million spans on a day, and others go on', async () => {
  const attacker = newAccount('attacker', { spansToday: 19_999_998 })
  const bystander = newAccount('bystander')
  await attacker.stored()
  expect(await attacker.send(5)).toMatchObject({ status: 200, rejected: 3, remaining: 0 })
  const refused = await attacker.send(2)
  expect(refused).toMatchObject({ status: 200, rejected: 2 })
  expect(refused.message).toMatch(
    /^2 × limit spans_per_day: .* the 20000000 spans .* at \d{4}-\d\d-\d\dT00:00:00.000Z$/,
  )
  expect(refused.resetSeconds).toBeGreaterThan(0)
  expect(await attacker.total()).toBe(2)
  expect(await attacker.usage()).toEqual([['spans_per_day', 20_000_000, 20_000_000]])

  expect(await bystander.send(5)).toMatchObject({ status: 200, rejected: 0, message: '' })
  expect(await bystander.total()).toBe(5)
  expect(await bystander.usage()).toEqual([['spans_per_day', 5, 20_000_000]])

  aheadMs = DAY_MS
  expect(await attacker.send(1)).toMatchObject({ rejected: 0, remaining: 19_999_999 })
  expect(await attacker.usage()).toEqual([['spans_per_day', 1, 20_000_000]])
  aheadMs = 0
})

test('long texts count for each 16 KiB of them, and never exceed the limit', async () => {
  const account = newAccount('large', { spansToday: 19_999_990 })
  await account.stored()
  const texts = Object.fromEntries(['a', 'b', 'c'].map((key) => [key, key.repeat(16_000)]))
  const refused = await account.send(5, texts)
  expect(refused).toMatchObject({ rejected: 2, remaining: 1 })
  expect(refused.message).toMatch(/^2 × limit spans_per_day: .* fewer are left than this one/)
  expect(await account.send(2)).toMatchObject({ rejected: 1, remaining: 0 })
  expect(await account.usage()).toEqual([['spans_per_day', 20_000_000, 20_000_000]])
})

test('log records count as spans, and those that are not kept count nothing', async () => {
  const account = newAccount('logging', { spansToday: 19_999_998 })
  await account.stored()
  const span = rootSpan()
  const { partialSuccess } = await sendLogs(platform.ingestUrl, 'logging', [
    { ...answer('not kept', span), event: 'exception' },
    ...['one', 'two', 'three'].map((text) => answer(text, span)),
  ])
  expect(partialSuccess?.rejectedLogRecords).toBe(1n)
  expect(partialSuccess?.errorMessage).toMatch(/^1 × limit spans_per_day: /)
  expect(await account.usage()).toEqual([['spans_per_day', 20_000_000, 20_000_000]])
})

test('a sender is warned once when 80 % of the limit are used', async () => {
  const account = newAccount('warned', { spansToday: 15_999_999 })
  await account.stored()
  const warning = await account.send(1)
  expect(warning).toMatchObject({ status: 200, rejected: 0 })
  expect(warning.message).toContain('warning: the account has stored 16000000 of the 20000000')
  expect(await account.send(1)).toMatchObject({ status: 200, rejected: 0, message: '' })
})

test("the operator's file changes the limit while the service runs", async () => {
  const account = newAccount('special')
  const file = join(folder, 'limits.yaml')
  await writeFile(file, `accounts: {${account.accountId}: {spans_per_day: 3}}`)
  await waitFor(async () => (await account.usage())[0]?.[2] === 3, { what: 'the new limit' })
  expect(await account.send(4)).toMatchObject({ rejected: 1 })
  await writeFile(file, '')
  await waitFor(async () => (await account.send(1)).rejected === 0, { what: 'the old limit' })
})
