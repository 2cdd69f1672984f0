import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import type { SessionSchema } from '@slipway/proto/slipway/observability/v1/session'
import type { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'
import { Violations } from '@slipway/shared/errors'

import type { ObservabilityContext } from '../context.ts'
import { toDollars, toInt64 } from '../domain/measures.ts'
import { nextPageToken, readPageStart, resolvePage } from '../domain/page.ts'
import { requireSearchText } from '../domain/search-text.ts'
import { listSessions as querySessions, type ListedSession } from '../query/list-sessions.ts'
import { openScope, toTimeRange, toTimestamp } from './trace-scope.ts'

/** Handles ListSessions: a page of the sessions with turns in a range that match the filters. */
export function listSessions(
  context: ObservabilityContext,
): ServiceImpl<typeof TraceService>['listSessions'] {
  return async (request, call) => {
    const start = readPageStart(request.pageToken)
    const page = resolvePage(request, start)
    const { userId, query, hasErrors } = request
    const violations = new Violations()
    requireSearchText(violations, 'user_id', userId)
    requireSearchText(violations, 'query', query)
    violations.throwIfAny()
    const asked = { ...request, resolved: start?.range }
    const { range, scope, owner, limits } = await openScope(context, call, asked)
    const filter = { userId: userId || undefined, prefix: query || undefined, hasErrors }
    const { sessions, total, isEstimate } = await context.store.read(owner, limits, (reader) =>
      querySessions(reader, scope, { filter, page }),
    )
    return {
      sessions: sessions.map(toSession),
      nextPageToken: nextPageToken(range, page, total),
      total: BigInt(total),
      range: toTimeRange(range),
      isTokenEstimate: isEstimate,
    }
  }
}

export function toSession(session: ListedSession): MessageInitShape<typeof SessionSchema> {
  return {
    sessionId: session.sessionId,
    firstStartTime: toTimestamp(session.firstStartNs),
    lastStartTime: toTimestamp(session.lastStartNs),
    turnCount: BigInt(session.turnCount),
    errorCount: BigInt(session.errorCount),
    inputTokens: toInt64(session.inputTokens),
    outputTokens: toInt64(session.outputTokens),
    costUsd: toDollars(session.costNanoUsd),
    userId: session.userId,
    input: session.input,
    output: session.output,
  }
}
