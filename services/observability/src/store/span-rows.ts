import type { SpanOwner, StoredSpan } from '../domain/span.ts'
import {
  byteColumn,
  hexColumn,
  nativeBlock,
  numberColumn,
  tailColumn,
  textColumn,
  timeColumn,
  wordColumn,
  type Column,
} from './native-block.ts'

type RowOwner = Omit<SpanOwner, 'deployedBy'>

/** The columns with the owner of rows, which is the same for all rows of a block. */
export function ownerColumns(
  owner: Pick<RowOwner, 'accountId' | 'agent' | 'agentId'>,
): readonly Column<unknown>[] {
  return [
    wordColumn('account_id', () => owner.accountId),
    wordColumn('agent', () => owner.agent),
    wordColumn('agent_id', () => owner.agentId),
  ]
}

/** The column with the number of the row: `nextVersion` returns a higher one at each call. */
export function versionColumn(nextVersion: () => number): Column<unknown> {
  return numberColumn('version', () => BigInt(nextVersion()))
}

/** The columns that depend on the span only. */
const columns: readonly Column<StoredSpan>[] = [
  timeColumn('start_time', (span) => span.startTimeNs),
  hexColumn('trace_id', 16, (span) => span.traceId),
  hexColumn('span_id', 8, (span) => span.spanId),
  hexColumn('parent_span_id', 8, (span) => span.parentSpanId),
  tailColumn('trace_tail', (span) => span.traceId),
  byteColumn('root_rank', (span) => span.rootRank),
  numberColumn('duration_ns', (span) => span.durationNs),
  numberColumn('first_token_ns', (span) => span.firstTokenNs),
  byteColumn('is_error', (span) => (span.isError ? 1 : 0)),
  byteColumn('is_failed_run', (span) => (span.isFailedRun ? 1 : 0)),
  byteColumn('kind', (span) => span.kind),
  wordColumn('type', (span) => span.type),
  wordColumn('scope', (span) => span.scope),
  numberColumn('input_tokens', (span) => span.inputTokens),
  numberColumn('output_tokens', (span) => span.outputTokens),
  numberColumn('total_input_tokens', (span) => span.totalInputTokens),
  numberColumn('total_output_tokens', (span) => span.totalOutputTokens),
  numberColumn('cached_tokens', (span) => span.cachedTokens),
  numberColumn('cache_written_tokens', (span) => span.cacheWrittenTokens),
  numberColumn('reasoning_tokens', (span) => span.reasoningTokens),
  numberColumn('cost_nano_usd', (span) => span.costNanoUsd),
  numberColumn('total_cost_nano_usd', (span) => span.totalCostNanoUsd),
  wordColumn('cost_source', (span) => span.costSource),
  wordColumn('finish_reason', (span) => span.finishReason),
  textColumn('response_id', (span) => span.responseId),
  textColumn('session_id', (span) => span.sessionId),
  textColumn('user_id', (span) => span.userId),
  wordColumn('tool_name', (span) => span.toolName),
  wordColumn('provider', (span) => span.provider),
  wordColumn('model', (span) => span.model),
  textColumn('name', (span) => span.name),
  textColumn('status_message', (span) => span.statusMessage),
  textColumn('input', (span) => span.input),
  textColumn('output', (span) => span.output),
  textColumn('messages', (span) => span.messages),
  textColumn('attributes', (span) => span.attributes),
  textColumn('events', (span) => span.events),
]

const columnsOf = (owner: RowOwner, nextVersion: () => number): readonly Column<StoredSpan>[] => [
  ...ownerColumns(owner),
  wordColumn('deployment_id', () => owner.deploymentId),
  wordColumn('build_id', () => owner.buildId),
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
