import type { ServiceImpl } from '@connectrpc/connect'
import type { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { Unavailable } from '@slipway/shared/errors'
import { FairQueue } from '@slipway/shared/fair-queue'

/** A search may keep a processor of the database busy. The gateway lets its clients take turns. */
const RUNNING = { total: 2, perUser: 2, perAccount: 2 }
const WAITING = { total: 200, perUser: 200, perAccount: 200 }
const RETRY_AFTER_MS = 1_000

/** All searches are those of one user, as callers need no token. */
const OWNER = { user: 'anonymous' }

type ListAgents = ServiceImpl<typeof AgentService>['listAgents']

/** Bounds the searches that run at the same time. */
export function createSearchQueue(): FairQueue {
  return new FairQueue({
    running: RUNNING,
    waiting: WAITING,
    refusal: () =>
      new Unavailable(
        'catalog_busy',
        'too many searches and pages with specs or readmes are waiting; retry later',
        {
          retryAfterMs: RETRY_AFTER_MS,
        },
      ),
  })
}

/**
 * Makes searches and pages with specs or readmes wait for their turn before they wait for the
 * database, so that other calls don't.
 */
export function searchInTurn(queue: FairQueue, list: ListAgents): ListAgents {
  return async (request, call) => {
    const { query, tag, includeSpec, includeReadme } = request
    const isCostly = query !== '' || tag !== '' || includeSpec || includeReadme
    if (!isCostly) return await list(request, call)
    using _turn = await queue.wait(OWNER, call)
    return await list(request, call)
  }
}
