import type { Engine } from './engine.ts'

/** Name of the table of all spans. */
export const SPANS_TABLE = 'spans'

/**
 * Spans are kept this much longer than they are shown, so that a trace whose first spans are about
 * to go is still whole while it is shown.
 */
const EXTRA_DAYS = 7

/**
 * One row per span; the newest `version` of a span counts, and merges drop the others. Rows lie by
 * agent and time, so a question about an agent's day touches that day. `trace_tail` (the last four
 * bytes of the trace id, in every usual scheme the most random ones) is what spans of known traces
 * are found by: narrow enough to look through all of an agent's spans in a moment. Text is last and
 * compressed harder; only pages and searches read it. An agent's rows are a small part of each
 * file, so what must be unpacked to get at them is kept small and quick to unpack.
 */
const CREATE_SPANS = `
  CREATE TABLE IF NOT EXISTS ${SPANS_TABLE} (
    account_id LowCardinality(String),
    agent LowCardinality(String),
    start_time DateTime64(9, 'UTC') CODEC(Delta, LZ4),
    trace_hex String EPHEMERAL,
    span_hex String EPHEMERAL,
    parent_hex String EPHEMERAL,
    trace_id FixedString(16) DEFAULT unhex(trace_hex),
    span_id FixedString(8) DEFAULT unhex(span_hex),
    parent_span_id FixedString(8) DEFAULT unhex(parent_hex),
    trace_tail UInt32 DEFAULT reinterpretAsUInt32(substring(trace_id, 13, 4)),
    version UInt64 CODEC(Delta, LZ4),
    root_rank UInt8,
    duration_ns UInt64 CODEC(LZ4),
    is_error UInt8,
    kind UInt8,
    input_tokens UInt64 CODEC(LZ4),
    output_tokens UInt64 CODEC(LZ4),
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
  SETTINGS index_granularity = 2048, min_compress_block_size = 16384, min_age_to_force_merge_seconds = 86400,
    min_age_to_force_merge_on_partition_only = 1, fsync_after_insert = 1, fsync_part_directory = 1`

/** A change of the table since it was first made. */
interface Migration {
  /** Whether the table's CREATE statement shows that it has the change. */
  readonly isDone: (createSql: string) => boolean
  readonly statement: string
}

/**
 * What makes CREATE_SPANS' table of one that an earlier version made, in order; a landed one never
 * changes. All of them touch the description only: what is stored stays as it is until it is
 * merged.
 */
const MIGRATIONS: readonly Migration[] = [
  {
    isDone: (createSql) => createSql.includes('min_compress_block_size'),
    statement: `
      ALTER TABLE ${SPANS_TABLE}
        MODIFY COLUMN start_time CODEC(Delta, LZ4),
        MODIFY COLUMN version CODEC(Delta, LZ4),
        MODIFY COLUMN duration_ns CODEC(LZ4),
        MODIFY COLUMN input_tokens CODEC(LZ4),
        MODIFY COLUMN output_tokens CODEC(LZ4),
        MODIFY SETTING min_compress_block_size = 16384, min_age_to_force_merge_seconds = 86400,
          min_age_to_force_merge_on_partition_only = 1`,
  },
]

/** Tables of other engines were made by hand, and are left as they are. */
const OWN_ENGINE = 'ENGINE = ReplacingMergeTree('

/**
 * Makes the table or brings it up to date, and sets how long spans are kept. Safe for several
 * starters at once.
 */
export async function prepareSpansTable(engine: Engine, retentionDays: number): Promise<void> {
  await engine.command(CREATE_SPANS)
  const [row] = await engine.query(
    'SELECT create_table_query AS sql FROM system.tables WHERE database = currentDatabase() AND name = {table:String}',
    { table: SPANS_TABLE },
    { timeoutMs: 10_000, signal: AbortSignal.timeout(10_000) },
  )
  const keepDays = `toIntervalDay(${retentionDays + EXTRA_DAYS})`
  const current = typeof row === 'object' && row !== null && 'sql' in row ? String(row.sql) : ''
  if (!current.includes('root_rank')) throw new Error('the trace store did not make the table')
  if (current.includes(OWN_ENGINE)) {
    for (const { isDone, statement } of MIGRATIONS)
      if (!isDone(current)) await engine.command(statement)
  }
  if (current.includes(keepDays)) return
  // The change would wait until all parts are written anew, so that is asked for separately, and
  // goes on in the background. Without it parts that no merge touches any more would go when the
  // former setting said so.
  await engine.command(
    `ALTER TABLE ${SPANS_TABLE} MODIFY TTL toDateTime(start_time) + ${keepDays} SETTINGS materialize_ttl_after_modify = 0`,
  )
  await engine.command(`ALTER TABLE ${SPANS_TABLE} MATERIALIZE TTL SETTINGS mutations_sync = 0`)
}
