import { LOG_COLUMNS } from './log-rows.ts'
import type { TableMigration } from './table-definition.ts'

/** The table of the log records with the content of GenAI operations. */
export const LOGS_TABLE = 'log_records'

/** The columns that this release reads or writes. */
export const REQUIRED_LOG_COLUMNS = [
  ...LOG_COLUMNS,
  'trace_id',
  'span_id',
  'trace_tail',
  'record_key',
  'has_input',
  'has_output',
] as const

/** The migrations of the table, as in `spans-migrations.ts`. */
export const logsMigrations: Readonly<Record<string, TableMigration>> = {
  '20261123T1515-log-records': {},
  '20261123T2030-log-messages': {
    statement: `
      ALTER TABLE ${LOGS_TABLE}
        ADD COLUMN IF NOT EXISTS messages String CODEC(ZSTD(3)) AFTER output`,
  },
  '20261124T1800-log-ids': {
    statement: `
      ALTER TABLE ${LOGS_TABLE}
        ADD COLUMN IF NOT EXISTS session_id String CODEC(ZSTD(1)) AFTER name,
        ADD COLUMN IF NOT EXISTS user_id String CODEC(ZSTD(1)) AFTER session_id`,
  },
}

/**
 * One row per log record. A record that is exported again has the same `record_key`, and merges
 * drop the copy with the lower `version`. Records are only read for known traces, whatever their
 * times are. So rows are sorted by agent and `trace_tail`, and an index finds those of a trace. Its
 * granules are small, because a page reads one for each of its traces. `has_input` and `has_output`
 * choose the few records of a span whose texts are read.
 */
export const CREATE_LOGS = `
  CREATE TABLE IF NOT EXISTS ${LOGS_TABLE} (
    account_id LowCardinality(String),
    agent LowCardinality(String),
    agent_id LowCardinality(String),
    trace_hex String EPHEMERAL,
    span_hex String EPHEMERAL,
    trace_id FixedString(16) DEFAULT unhex(trace_hex),
    span_id FixedString(8) DEFAULT unhex(span_hex),
    trace_tail UInt32 DEFAULT reinterpretAsUInt32(substring(trace_id, 13, 4)),
    sent_ns UInt64 EPHEMERAL,
    record_key UInt64 DEFAULT cityHash64(sent_ns, name, attributes),
    version UInt64 CODEC(Delta, LZ4),
    time DateTime64(9, 'UTC') CODEC(LZ4),
    has_input UInt8 DEFAULT input != '',
    has_output UInt8 DEFAULT output != '',
    name LowCardinality(String),
    session_id String CODEC(ZSTD(1)),
    user_id String CODEC(ZSTD(1)),
    input String CODEC(ZSTD(3)),
    output String CODEC(ZSTD(3)),
    messages String CODEC(ZSTD(3)),
    attributes String CODEC(ZSTD(3))
  )
  ENGINE = ReplacingMergeTree(version)
  PARTITION BY toMonday(time)
  PRIMARY KEY (account_id, agent, trace_tail)
  ORDER BY (account_id, agent, trace_tail, trace_id, span_id, record_key)
  SETTINGS index_granularity = 256, min_compress_block_size = 16384,
    min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1,
    fsync_after_insert = 1, fsync_part_directory = 1`
