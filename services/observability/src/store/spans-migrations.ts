import { SPANS_TABLE } from './spans-table.ts'
import type { TableMigration } from './table-definition.ts'

/**
 * The migrations of the table, by name. They run in the order of their names, and a released one
 * never changes. They only change the table's definition: stored parts keep their form until
 * merged.
 */
export const spansMigrations: Readonly<Record<string, TableMigration>> = {
  '20261121T1409-spans': { isIn: () => true },
  '20261121T1713-small-blocks': {
    isIn: (createSql) => createSql.includes('min_compress_block_size'),
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
  '20261122T1955-agent-id': {
    isIn: (createSql) => createSql.includes('agent_id'),
    statement: `
      ALTER TABLE ${SPANS_TABLE}
        ADD COLUMN IF NOT EXISTS agent_id LowCardinality(String) AFTER agent`,
  },
  '20261123T0930-span-facts': {
    isIn: (createSql) => createSql.includes('is_failed_run'),
    statement: `
      ALTER TABLE ${SPANS_TABLE}
        ADD COLUMN IF NOT EXISTS is_failed_run UInt8 AFTER is_error,
        ADD COLUMN IF NOT EXISTS type LowCardinality(String) AFTER kind,
        ADD COLUMN IF NOT EXISTS total_input_tokens UInt64 CODEC(LZ4) AFTER output_tokens,
        ADD COLUMN IF NOT EXISTS total_output_tokens UInt64 CODEC(LZ4) AFTER total_input_tokens,
        ADD COLUMN IF NOT EXISTS cached_tokens UInt64 CODEC(LZ4) AFTER total_output_tokens,
        ADD COLUMN IF NOT EXISTS reasoning_tokens UInt64 CODEC(LZ4) AFTER cached_tokens,
        ADD COLUMN IF NOT EXISTS response_id String EPHEMERAL '' AFTER reasoning_tokens,
        ADD COLUMN IF NOT EXISTS response_key UInt64
          DEFAULT if(response_id = '', 0, cityHash64(response_id)) CODEC(LZ4) AFTER response_id,
        ADD COLUMN IF NOT EXISTS session_id String CODEC(ZSTD(1)) AFTER response_key,
        ADD COLUMN IF NOT EXISTS user_id String CODEC(ZSTD(1)) AFTER session_id,
        ADD COLUMN IF NOT EXISTS tool_name LowCardinality(String) AFTER user_id,
        ADD COLUMN IF NOT EXISTS provider LowCardinality(String) AFTER tool_name`,
  },
  '20261123T1505-run-model': {
    isIn: (createSql) => createSql.includes('cost_nano_usd'),
    statement: `
      ALTER TABLE ${SPANS_TABLE}
        ADD COLUMN IF NOT EXISTS first_token_ns UInt64 CODEC(LZ4) AFTER duration_ns,
        ADD COLUMN IF NOT EXISTS scope LowCardinality(String) AFTER type,
        ADD COLUMN IF NOT EXISTS cost_nano_usd UInt64 CODEC(LZ4) AFTER reasoning_tokens,
        ADD COLUMN IF NOT EXISTS total_cost_nano_usd UInt64 CODEC(LZ4) AFTER cost_nano_usd,
        ADD COLUMN IF NOT EXISTS finish_reason LowCardinality(String) AFTER total_cost_nano_usd,
        ADD COLUMN IF NOT EXISTS messages String CODEC(ZSTD(3)) AFTER output`,
  },
  '20261123T1540-session-index': {
    isIn: (createSql) => createSql.includes('session_id_filter'),
    statement: `
      ALTER TABLE ${SPANS_TABLE}
        ADD INDEX IF NOT EXISTS session_id_filter session_id
          TYPE bloom_filter(0.01) GRANULARITY 4`,
  },
  '20261123T2030-cache-writes': {
    isIn: (createSql) => createSql.includes('cache_written_tokens'),
    statement: `
      ALTER TABLE ${SPANS_TABLE}
        ADD COLUMN IF NOT EXISTS cache_written_tokens UInt64 CODEC(LZ4) AFTER cached_tokens`,
  },
  '20261123T2245-cost-source': {
    isIn: (createSql) => createSql.includes('cost_source'),
    statement: `
      ALTER TABLE ${SPANS_TABLE}
        ADD COLUMN IF NOT EXISTS cost_source LowCardinality(String) AFTER total_cost_nano_usd`,
  },
  '20261124T2115-fewer-merges': {
    isIn: (createSql) => createSql.includes('merge_selector_base'),
    statement: `ALTER TABLE ${SPANS_TABLE} MODIFY SETTING merge_selector_base = 12`,
  },
  '20261127T1530-version-index': {
    isIn: (createSql) => createSql.includes('version_range'),
    statement: `
      ALTER TABLE ${SPANS_TABLE}
        ADD INDEX IF NOT EXISTS version_range version TYPE minmax GRANULARITY 1`,
  },
}
