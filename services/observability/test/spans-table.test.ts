import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Engine } from '../src/store/engine.ts'
import { openTestEngine } from './support/test-engine.ts'
import { checkTables, migrateTables } from '../src/store/migrate-tables.ts'
import { spansMigrations } from '../src/store/spans-migrations.ts'

const NAMES = [
  '20261121T1409-spans',
  '20261121T1713-small-blocks',
  '20261122T1955-agent-id',
  '20261123T0930-span-facts',
  '20261123T1505-run-model',
  '20261123T1540-session-index',
  '20261123T2030-cache-writes',
  '20261123T2245-cost-source',
  '20261124T2115-fewer-merges',
  '20261127T1530-version-index',
] as const

const RELEASES = resolve(import.meta.dirname, '../../../test/releases')

let engine: Engine

beforeAll(async () => {
  engine = await openTestEngine()
})
afterAll(() => engine?.[Symbol.asyncDispose]())

async function read(sql: string): Promise<Readonly<Record<string, unknown>>> {
  const [row] = await engine.query(
    sql,
    {},
    { timeoutMs: 60_000, signal: new AbortController().signal },
  )
  return row as Readonly<Record<string, unknown>>
}

/** Returns the table's columns, keys and settings, sorted: their order depends on its history. */
async function describeTable(): Promise<readonly string[]> {
  const { sql } = await read(
    `SELECT create_table_query AS sql FROM system.tables WHERE name = 'spans'`,
  )
  return String(sql)
    .split(/, | SETTINGS | COMMENT /)
    .toSorted()
}

async function countSpans() {
  return await read(`
    SELECT toUInt32(count()) AS rows, uniqExact(trace_id, span_id) AS spans,
      toString(sum(duration_ns)) AS duration, toString(min(start_time)) AS first,
      sum(length(input)) AS letters
    FROM spans`)
}

test('migrates the first version of the table, and keeps its rows', async () => {
  await migrateTables(engine, 30)
  const expected = await describeTable()
  await engine.command('DROP TABLE spans SYNC')

  await engine.command(FIRST_VERSION)
  await engine.command(`
    INSERT INTO spans
      (account_id, agent, start_time, trace_hex, span_hex, version, duration_ns, input)
    SELECT 'acc-1', 'helper', now64(9) - number, hex(MD5(toString(number))),
      leftPad(hex(number), 16, '0'), number, number, repeat('x', number % 7)
    FROM numbers(5000)`)
  const before = await countSpans()
  expect(before['rows']).toBe(5000)

  await migrateTables(engine, 30)
  expect(await describeTable()).toEqual(expected)
  expect(await countSpans()).toEqual(before)
  await migrateTables(engine, 30)
  // A merge rewrites all rows by the new definition.
  await engine.command('OPTIMIZE TABLE spans FINAL')
  expect(await countSpans()).toEqual(before)
})

test.each(globSync('*/spans.sql', { cwd: RELEASES }))('migrates the table of %s', async (file) => {
  await engine.command('DROP TABLE IF EXISTS spans SYNC')
  await migrateTables(engine, 30)
  const expected = await describeTable()
  await engine.command('DROP TABLE spans SYNC')

  await engine.command(readFileSync(join(RELEASES, file), 'utf8'))
  await migrateTables(engine, 30)
  expect(await describeTable()).toEqual(expected)
})

test('applies a new retention to stored spans', async () => {
  await engine.command('DROP TABLE spans SYNC')
  await migrateTables(engine, 30)
  for (const days of [1, 20]) {
    await engine.command(`
      INSERT INTO spans (account_id, agent, start_time, trace_hex, span_hex, version)
      SELECT 'acc-1', 'helper', now64(9) - toIntervalDay(${days}), hex(MD5('${days}')),
        '0000000000000001', ${days}`)
  }
  expect(await read('SELECT toUInt32(count()) AS rows FROM spans')).toEqual({ rows: 2 })
  /** Counts the spans, and the days from the start of the last one to its part's deletion. */
  const stored = async () =>
    await read(`
      SELECT toUInt32(sum(rows)) AS spans,
        toInt32(dateDiff(
          'day', (SELECT max(start_time) FROM spans), max(delete_ttl_info_max), 'UTC'
        )) AS days
      FROM system.parts WHERE active AND table = 'spans' AND rows > 0`)

  await migrateTables(engine, 5)
  await expect.poll(stored).toEqual({ spans: 1, days: 5 + 7 })
  await migrateTables(engine, 90)
  await expect.poll(stored).toEqual({ spans: 1, days: 90 + 7 })
})

/** Records migrations in the table's comment, as a release that has them does. */
async function record(migrations: readonly string[], oldest: string): Promise<void> {
  const comment = JSON.stringify({ slipway_migrations: migrations, oldest_compatible: oldest })
  await engine.command(`ALTER TABLE spans MODIFY COMMENT '${comment}'`)
}

test('accepts a newer table that it can work with, and changes nothing', async () => {
  await engine.command('DROP TABLE IF EXISTS spans SYNC')
  await migrateTables(engine, 30)
  await engine.command('ALTER TABLE spans ADD COLUMN mood String')
  await record([...NAMES, '20990101T0000-mood'], NAMES[1])
  const before = await describeTable()
  expect(await migrateTables(engine, 5)).toEqual({
    applied: [],
    newer: ['20990101T0000-mood'],
    keepDays: undefined,
  })
  expect(await checkTables(engine)).toEqual([37, 37])
  expect(await describeTable()).toEqual(before)
})

test('refuses a newer table that it cannot work with', async () => {
  const later = ['20990101T0000-mood', '20990102T0000-drop-input']
  await record([...NAMES, ...later], '20990101T0000-mood')
  const message = 'Run a release that knows migration 20990101T0000-mood'
  await expect(migrateTables(engine, 30)).rejects.toThrow(message)
  await expect(checkTables(engine)).rejects.toThrow(message)
})

test('the service refuses an older table until it is migrated', async () => {
  await engine.command('DROP TABLE spans SYNC')
  await expect(checkTables(engine)).rejects.toThrow('has no table of spans')
  await engine.command(FIRST_VERSION)
  await expect(checkTables(engine)).rejects.toThrow(`it lacks ${NAMES[1]}`)
  await migrateTables(engine, 30)
  expect(await checkTables(engine)).toEqual([37, 37])
})

test('a table of another engine needs only the columns', async () => {
  await engine.command('DROP TABLE spans SYNC')
  const table = FIRST_VERSION.replace('ReplacingMergeTree(version)', 'MergeTree')
  await engine.command(table.replace('model LowCardinality(String),', ''))
  const message =
    /lacks agent_id, first_token_ns, .*, model, messages, response_key: add these columns/
  await expect(migrateTables(engine, 30)).rejects.toThrow(message)
  await expect(checkTables(engine)).rejects.toThrow(message)
  await engine.command('ALTER TABLE spans ADD COLUMN model LowCardinality(String)')
  await addColumns()
  expect(await checkTables(engine)).toEqual([undefined, 37])
})

test('keeps the definition of a table that an operator created', async () => {
  await engine.command('DROP TABLE spans SYNC')
  await engine.command(FIRST_VERSION.replace('ReplacingMergeTree(version)', 'MergeTree'))
  await addColumns()
  await migrateTables(engine, 30)
  const description = (await describeTable()).join('\n')
  expect(description).toContain('toIntervalDay(37)')
  expect(description).not.toContain('min_compress_block_size')
})

/** Adds the columns that the table has had since its first version. */
async function addColumns(): Promise<void> {
  const statements = Object.values(spansMigrations).map(({ statement = '' }) => statement)
  for (const statement of statements)
    if (statement.includes('ADD COLUMN')) await engine.command(statement)
}

const FIRST_VERSION = `
  CREATE TABLE spans (
    account_id LowCardinality(String),
    agent LowCardinality(String),
    start_time DateTime64(9, 'UTC') CODEC(Delta, ZSTD(1)),
    trace_hex String EPHEMERAL,
    span_hex String EPHEMERAL,
    parent_hex String EPHEMERAL,
    trace_id FixedString(16) DEFAULT unhex(trace_hex),
    span_id FixedString(8) DEFAULT unhex(span_hex),
    parent_span_id FixedString(8) DEFAULT unhex(parent_hex),
    trace_tail UInt32 DEFAULT reinterpretAsUInt32(substring(trace_id, 13, 4)),
    version UInt64 CODEC(Delta, ZSTD(1)),
    root_rank UInt8,
    duration_ns UInt64 CODEC(ZSTD(1)),
    is_error UInt8,
    kind UInt8,
    input_tokens UInt64 CODEC(ZSTD(1)),
    output_tokens UInt64 CODEC(ZSTD(1)),
    deployment_id LowCardinality(String),
    build_id LowCardinality(String),
    model LowCardinality(String),
    name String CODEC(ZSTD(1)),
    status_message String CODEC(ZSTD(1)),
    input String CODEC(ZSTD(3)),
    output String CODEC(ZSTD(3)),
    attributes String CODEC(ZSTD(3)),
    events String CODEC(ZSTD(3))
  )
  ENGINE = ReplacingMergeTree(version)
  PARTITION BY toMonday(start_time)
  ORDER BY (account_id, agent, start_time, trace_id, span_id)
  SETTINGS index_granularity = 2048, fsync_after_insert = 1, fsync_part_directory = 1`
