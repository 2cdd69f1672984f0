import type { Engine } from './engine.ts'

/** The table of all spans. */
export const SPANS_TABLE = 'spans'

/** Spans are stored this much longer than traces are shown, so that traces stay complete. */
const EXTRA_DAYS = 7

/**
 * One row per span. The highest `version` of a span counts; merges drop the others. Rows are sorted
 * by agent and time, so a query of an agent's day reads only that day. The spans of known traces
 * are found by `trace_tail`, the last four bytes of the trace id, which are the most random ones in
 * all usual schemes: it is small enough to scan all spans of an agent. Texts come last and are
 * compressed more, since only pages and searches read them. An agent's rows are a small part of
 * each file, so compressed blocks are small and fast to decompress.
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
  SETTINGS index_granularity = 2048, min_compress_block_size = 16384,
    min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1,
    fsync_after_insert = 1, fsync_part_directory = 1`

/** A change to the table since its first version. */
interface Migration {
  /** Whether a table with this CREATE statement has the change. */
  readonly isDone: (createSql: string) => boolean
  readonly statement: string
}

/**
 * The migrations from earlier versions of the table to CREATE_SPANS, in order. A released one never
 * changes. They only change the table's definition: stored parts keep their form until merged.
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
        MODIFY SETTING min_compress_block_size = 16384,
          min_age_to_force_merge_seconds = 86400,
          min_age_to_force_merge_on_partition_only = 1`,
  },
]

/** A table of another engine was created by an operator, who migrates it. */
const OWN_ENGINE = 'ENGINE = ReplacingMergeTree('

/**
 * Creates the table or migrates it, and sets how long spans are stored. Safe to run concurrently.
 */
export async function prepareSpansTable(engine: Engine, retentionDays: number): Promise<void> {
  await engine.command(CREATE_SPANS)
  const [row] = await engine.query(
    `SELECT create_table_query AS sql FROM system.tables
     WHERE database = currentDatabase() AND name = {table:String}`,
    { table: SPANS_TABLE },
    { timeoutMs: 10_000, signal: AbortSignal.timeout(10_000) },
  )
  const keepDays = `toIntervalDay(${retentionDays + EXTRA_DAYS})`
  const current = typeof row === 'object' && row !== null && 'sql' in row ? String(row.sql) : ''
  if (!current.includes('root_rank')) throw new Error('the trace store has not created the table')
  if (current.includes(OWN_ENGINE)) {
    for (const { isDone, statement } of MIGRATIONS)
      if (!isDone(current)) await engine.command(statement)
  }
  if (current.includes(keepDays)) return
  // Parts that are never merged again would keep the former TTL, so all parts are rewritten: in the
  // background, because MODIFY TTL would wait for it.
  await engine.command(
    `ALTER TABLE ${SPANS_TABLE} MODIFY TTL toDateTime(start_time) + ${keepDays}
     SETTINGS materialize_ttl_after_modify = 0`,
  )
  await engine.command(`ALTER TABLE ${SPANS_TABLE} MATERIALIZE TTL SETTINGS mutations_sync = 0`)
}
