import type { MessageInitShape } from '@bufbuild/protobuf'
import { TraceStatus } from '@slipway/proto/slipway/observability/v1/trace'
import type { ListTracesRequestSchema } from '@slipway/proto/slipway/observability/v1/trace_service'
import { valueOf } from '@slipway/shared/enum-names'
import type { Static } from 'typebox'

import type { TraceQuery } from './list-schemas.ts'
import { toTimeRange } from './mapping.ts'

/** The filters and the page of a list of traces, as the service takes them. */
export function toListRequest({
  limit,
  offset,
  status,
  q: query = '',
  ...filter
}: Static<typeof TraceQuery>): MessageInitShape<typeof ListTracesRequestSchema> {
  return {
    range: toTimeRange(filter),
    status: status === undefined ? TraceStatus.UNSPECIFIED : valueOf(TraceStatus, status),
    query,
    buildId: filter.build_id ?? '',
    sessionId: filter.session_id ?? '',
    userId: filter.user_id ?? '',
    model: filter.model ?? '',
    tool: filter.tool ?? '',
    minTokens: BigInt(filter.min_tokens ?? 0),
    minCostUsd: filter.min_cost_usd ?? 0,
    minLatencyMs: filter.min_latency_ms ?? 0,
    ...(filter.max_tokens === undefined ? {} : { maxTokens: BigInt(filter.max_tokens) }),
    ...(filter.has_errors === undefined ? {} : { hasErrors: filter.has_errors }),
    pageSize: limit,
    skip: offset,
  }
}
