import type { ServiceImpl } from '@connectrpc/connect'
import type { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'
import { NotFound, Violations } from '@slipway/shared/errors'

import type { ObservabilityContext } from '../context.ts'
import { nextPageToken, readPageStart, resolvePage } from '../domain/page.ts'
import { requireSearchText } from '../domain/search-text.ts'
import { listSessions } from '../query/list-sessions.ts'
import { listTraces } from '../query/list-traces.ts'
import { toSession } from './list-sessions.ts'
import { toTraceEntry } from './trace-entry.ts'
import { openScope } from './trace-scope.ts'

/** Handles GetSession: a session with a page of its turns, oldest first. */
export function getSession(
  context: ObservabilityContext,
): ServiceImpl<typeof TraceService>['getSession'] {
  return async (request, call) => {
    const start = readPageStart(request.pageToken)
    const page = resolvePage(request, start)
    const { sessionId } = request
    const violations = new Violations().requireFilled({ session_id: sessionId })
    requireSearchText(violations, 'session_id', sessionId)
    violations.throwIfAny()
    const endNs = BigInt(Math.trunc(context.clock())) * 1_000_000n
    const asked = { ...request, resolved: start?.range ?? { startNs: 0n, endNs } }
    const { range, scope, owner, limits } = await openScope(context, call, asked)
    const found = await context.store.read(owner, limits, async (reader) => {
      const first = { limit: 1, offset: 0 }
      const filter = { sessionId }
      const { sessions, isEstimate } = await listSessions(reader, scope, { filter, page: first })
      const turns = await listTraces(reader, scope, { filter, page, order: 'oldest first' })
      return { session: sessions[0], isEstimate, ...turns }
    })
    if (found.session === undefined) throw new NotFound('session_not_found', 'session not found')
    return {
      session: toSession(found.session),
      turns: found.traces.map(toTraceEntry),
      nextPageToken: nextPageToken(range, page, found.total),
      isTokenEstimate: found.isEstimate,
    }
  }
}
