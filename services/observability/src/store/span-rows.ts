import type { SpanOwner, StoredSpan } from '../domain/span.ts'
import {
  dateTime,
  fixedString,
  lowCardinality,
  nativeBlock,
  string,
  traceTail,
  uint64,
  uint8,
  type Column,
} from './native-block.ts'

type RowOwner = Omit<SpanOwner, 'deployedBy'>

/** The columns with the owner of rows, which is the same for all rows of a block. */
export function ownerColumns(
  owner: Pick<RowOwner, 'accountId' | 'agent' | 'agentId'>,
): readonly Column<unknown>[] {
  return [
    lowCardinality('account_id', () => owner.accountId),
    lowCardinality('agent', () => owner.agent),
    lowCardinality('agent_id', () => owner.agentId),
  ]
}

/** The column with the number of the row: `nextVersion` returns a higher one at each call. */
export function versionColumn(nextVersion: () => number): Column<unknown> {
  return uint64('version', () => BigInt(nextVersion()))
}

/** The columns that depend on the span only. */
const columns: readonly Column<StoredSpan>[] = [
  dateTime('start_time', (span) => span.startTimeNs),
  fixedString('trace_id', 16, (span) => span.traceId),
  fixedString('span_id', 8, (span) => span.spanId),
  fixedString('parent_span_id', 8, (span) => span.parentSpanId),
  traceTail('trace_tail', (span) => span.traceId),
  uint8('root_rank', (span) => span.rootRank),
  uint64('duration_ns', (span) => span.durationNs),
  uint64('first_token_ns', (span) => span.firstTokenNs),
  uint8('is_error', (span) => (span.isError ? 1 : 0)),
  uint8('is_failed_run', (span) => (span.isFailedRun ? 1 : 0)),
  uint8('kind', (span) => span.kind),
  lowCardinality('type', (span) => span.type),
  lowCardinality('scope', (span) => span.scope),
  uint64('input_tokens', (span) => span.inputTokens),
  uint64('output_tokens', (span) => span.outputTokens),
  uint64('total_input_tokens', (span) => span.totalInputTokens),
  uint64('total_output_tokens', (span) => span.totalOutputTokens),
  uint64('cached_tokens', (span) => span.cachedTokens),
  uint64('cache_written_tokens', (span) => span.cacheWrittenTokens),
  uint64('reasoning_tokens', (span) => span.reasoningTokens),
  uint64('cost_nano_usd', (span) => span.costNanoUsd),
  uint64('total_cost_nano_usd', (span) => span.totalCostNanoUsd),
  lowCardinality('cost_source', (span) => span.costSource),
  lowCardinality('finish_reason', (span) => span.finishReason),
  string('response_id', (span) => span.responseId),
  string('session_id', (span) => span.sessionId),
  string('user_id', (span) => span.userId),
  lowCardinality('tool_name', (span) => span.toolName),
  lowCardinality('provider', (span) => span.provider),
  lowCardinality('model', (span) => span.model),
  string('name', (span) => span.name),
  string('status_message', (span) => span.statusMessage),
  string('input', (span) => span.input),
  string('output', (span) => span.output),
  string('messages', (span) => span.messages),
  string('attributes', (span) => span.attributes),
  string('events', (span) => span.events),
]

const columnsOf = (owner: RowOwner, nextVersion: () => number): readonly Column<StoredSpan>[] => [
  ...ownerColumns(owner),
  lowCardinality('deployment_id', () => owner.deploymentId),
  lowCardinality('build_id', () => owner.buildId),
  versionColumn(nextVersion),
  ...columns,
]

const NO_OWNER = { accountId: '', agent: '', agentId: '', deploymentId: '', buildId: '' }

/** The columns of a span's row, in order. */
export const SPAN_COLUMNS = columnsOf(NO_OWNER, () => 0).map(({ name }) => name)

/** Writes the spans of one owner as a block in Native format with SPAN_COLUMNS. */
export function spanBlock(
  owner: RowOwner,
  spans: readonly StoredSpan[],
  nextVersion: () => number,
): Uint8Array<ArrayBuffer> {
  return nativeBlock(columnsOf(owner, nextVersion), spans)
}
