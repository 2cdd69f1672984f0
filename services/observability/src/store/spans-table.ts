import { SPAN_COLUMNS } from './span-rows.ts'

export const SPANS_TABLE = 'spans'

/** The columns that this release reads or writes. */
export const REQUIRED_COLUMNS = [
  ...SPAN_COLUMNS,
  'trace_id',
  'span_id',
  'parent_span_id',
  'trace_tail',
  'response_key',
] as const

/**
 * One row per span. The highest `version` of a span counts; merges drop the others. Rows are sorted
 * by agent and time, so a query of an agent's day reads only that day. The spans of known traces
 * are found by `trace_tail`, the last four bytes of the trace id, which are the most random ones in
 * all usual schemes: the column is small enough to scan it for all spans of an agent. Texts are the
 * last columns and are compressed more, because only pages and searches read them. An agent's rows
 * are a small part of each file, so compressed blocks are small and fast to decompress. One index
 * finds the spans of a session among all of an agent's spans, and the other one those that arrived
 * recently. Merges wait for more parts than by default, because they took as much processor time as
 * all the rest of an insert.
 */
export const CREATE_SPANS = `
  CREATE TABLE IF NOT EXISTS ${SPANS_TABLE} (
    account_id LowCardinality(String),
    agent LowCardinality(String),
    agent_id LowCardinality(String),
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
    first_token_ns UInt64 CODEC(LZ4),
    is_error UInt8,
    is_failed_run UInt8,
    kind UInt8,
    type LowCardinality(String),
    scope LowCardinality(String),
    input_tokens UInt64 CODEC(LZ4),
    output_tokens UInt64 CODEC(LZ4),
    total_input_tokens UInt64 CODEC(LZ4),
    total_output_tokens UInt64 CODEC(LZ4),
    cached_tokens UInt64 CODEC(LZ4),
    cache_written_tokens UInt64 CODEC(LZ4),
    reasoning_tokens UInt64 CODEC(LZ4),
    cost_nano_usd UInt64 CODEC(LZ4),
    total_cost_nano_usd UInt64 CODEC(LZ4),
    cost_source LowCardinality(String),
    finish_reason LowCardinality(String),
    response_id String EPHEMERAL '',
    response_key UInt64 DEFAULT if(response_id = '', 0, cityHash64(response_id)) CODEC(LZ4),
    session_id String CODEC(ZSTD(1)),
    user_id String CODEC(ZSTD(1)),
    tool_name LowCardinality(String),
    provider LowCardinality(String),
    deployment_id LowCardinality(String),
    build_id LowCardinality(String),
    model LowCardinality(String),
    name String CODEC(ZSTD(1)),
    status_message String CODEC(ZSTD(1)),
    input String CODEC(ZSTD(3)),
    output String CODEC(ZSTD(3)),
    messages String CODEC(ZSTD(3)),
    attributes String CODEC(ZSTD(3)),
    events String CODEC(ZSTD(3)),
    INDEX session_id_filter session_id TYPE bloom_filter(0.01) GRANULARITY 4,
    INDEX version_range version TYPE minmax GRANULARITY 1
  )
  ENGINE = ReplacingMergeTree(version)
  PARTITION BY toMonday(start_time)
  ORDER BY (account_id, agent, start_time, trace_id, span_id)
  SETTINGS index_granularity = 2048, min_compress_block_size = 16384,
    merge_selector_base = 12,
    min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1,
    fsync_after_insert = 1, fsync_part_directory = 1`
