import type { App } from '../app.ts'
import { callFor } from '../call.ts'
import type { GatewayContext } from '../context.ts'
import { AgentList } from '../schemas/agent.ts'
import { problems } from '../schemas/common.ts'
import { toAgentJson } from './agent-mapping.ts'

/** `GET /agents`: every agent that has a published version, with its latest one. */
export function addListAgentsRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents',
    {
      config: { access: 'public' },
      schema: {
        summary: 'List agents that have a published version',
        tags: ['agents'],
        response: { 200: AgentList, ...problems(503) },
      },
    },
    async (request, reply) => {
      const { agents, nextPageToken } = await clients.agents.listAgents({}, callFor(request, reply))
      return {
        agents: agents.map(toAgentJson),
        count: agents.length,
        ...(nextPageToken === '' ? {} : { next_cursor: nextPageToken }),
      }
    },
  )
}
