import type { ServiceImpl } from '@connectrpc/connect'
import type { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'
import { NotFound } from '@slipway/shared/errors'

import type { ObservabilityContext } from '../context.ts'
import { toDollars, toInt64, toMilliseconds } from '../domain/measures.ts'
import { factsOf } from '../domain/trace-facts.ts'
import { inputOf, outputOf, sortAsTree } from '../domain/trace-tree.ts'
import { usageOf } from '../domain/trace-usage.ts'
import { readPageDetails } from '../query/page-details.ts'
import { readKeptTrace, requireTraceId } from './read-kept-trace.ts'
import { toCostSource, toSpan, toStatus } from './to-span.ts'
import { queryLimits, queryOwner, toTimestamp } from './trace-scope.ts'

/** Handles GetTrace: a trace with its spans, sorted as a tree. */
export function getTrace(
  context: ObservabilityContext,
): ServiceImpl<typeof TraceService>['getTrace'] {
  return async ({ account, name, traceId: requestedId }, call) => {
    const limits = queryLimits(context, call)
    const traceId = requireTraceId(requestedId)
    const owner = await context.memberships.require(call, account, name)
    const reads = queryOwner(call, owner.accountId)
    using _turn = await context.traceTurns.begin(reads, limits)
    const stored = await context.store.read(reads, limits, async (reader) => {
      const trace = await readKeptTrace(context, reader, { owner, traceId })
      if (trace === undefined) return undefined
      const { root } = trace
      const hasFailed = root.isError || trace.hasFailedRun
      const own = {
        input: inputOf(trace.spans, root),
        output: outputOf(trace.spans, root, hasFailed),
      }
      if (!trace.isTruncated) return { ...trace, hasFailed, texts: own }
      // Only the store has the texts of the spans that the response omits.
      const { firstStartNs, lastStartNs } = trace
      const page = { roots: [{ traceId, rootSpanId: root.spanId }], firstStartNs, lastStartNs }
      const details = await readPageDetails(reader, owner, page)
      return { ...trace, hasFailed, texts: details.get(traceId) ?? own }
    })
    if (stored === undefined) throw new NotFound('trace_not_found', 'trace not found')
    const { root, texts, spans } = stored
    // Only a whole trace shows which tokens it reports twice.
    const usage = spans.length === stored.spanCount ? usageOf(spans) : stored.sums
    const facts = factsOf(spans)
    return {
      trace: {
        traceId,
        name: root.name,
        status: toStatus({ isError: stored.hasFailed }),
        latencyMs: toMilliseconds(root.durationNs),
        input: texts.input,
        output: texts.output,
        startTime: toTimestamp(root.startTimeNs),
      },
      spans: sortAsTree(spans).map(toSpan),
      spanCount: stored.spanCount,
      errorSpanCount: stored.errorSpanCount,
      isTruncated: stored.isTruncated,
      inputTokens: toInt64(usage.inputTokens),
      outputTokens: toInt64(usage.outputTokens),
      cachedTokens: toInt64(usage.cachedTokens),
      reasoningTokens: toInt64(usage.reasoningTokens),
      ...(usage.costNanoUsd > 0n && { costUsd: toDollars(usage.costNanoUsd) }),
      ...facts,
      costSource: toCostSource(facts),
      models: [...facts.models],
    }
  }
}
