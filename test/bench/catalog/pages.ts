import { createClient } from '@connectrpc/connect'
import { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { createConnectUnaryTransport } from '@slipway/shared/rpc'

import { rounded } from '../support/compare.ts'
import type { BenchSystem } from './system.ts'

const PAGE_SIZE = 50
const ROUNDS = 400
/** The largest ratio of the latencies among many agents and among few. */
const GOAL = 1.5

/** Compares the latency of a page of the public list among many agents and among few. */
export async function measurePages(system: BenchSystem, agents: number): Promise<object> {
  using stack = new DisposableStack()
  const clients = [system.catalogAddress, system.smallCatalogAddress].map((address) =>
    createClient(AgentService, stack.use(createConnectUnaryTransport([address]))),
  )
  const latencies = clients.map(() => [] as number[])
  const tokens = clients.map(() => '')
  for (let round = -50; round < ROUNDS; round += 1) {
    for (const [index, client] of clients.entries()) {
      const start = performance.now()
      const page = await client.listAgents({ pageSize: PAGE_SIZE, pageToken: tokens[index] ?? '' })
      if (round >= 0) latencies[index]?.push(performance.now() - start)
      // An empty token at the end of the list restarts it.
      tokens[index] = page.nextPageToken
    }
  }
  const [many = 0, few = 0] = latencies.map(
    (list) => list.toSorted((left, right) => left - right)[ROUNDS / 2] ?? 0,
  )
  const ratio = rounded(many / few, 3)
  return {
    figure: `a page of ${PAGE_SIZE} among ${agents} agents`,
    compared_with: 'a page among 200 agents',
    p50_ms: rounded(many, 2),
    bare_p50_ms: rounded(few, 2),
    ratio,
    goal_ratio_at_most: GOAL,
    met: ratio <= GOAL,
  }
}
