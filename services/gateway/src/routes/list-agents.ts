import type { App } from '../app.ts'
import { callFor } from '../call.ts'
import type { GatewayContext } from '../context.ts'
import { AgentList, AgentListQuery } from '../schemas/agent.ts'
import { problems } from '../schemas/common.ts'
import { toAgentListJson } from './agent-mapping.ts'
import { commaSeparated } from './comma-separated.ts'

/** `GET /agents`: every agent that has a published version, with its latest one. */
export function addListAgentsRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents',
    {
      config: { access: 'public' },
      schema: {
        summary: 'List agents that have a published version',
        tags: ['agents'],
        querystring: AgentListQuery,
        response: { 200: AgentList, ...problems(400, 503) },
      },
    },
    async (request, reply) => {
      const { limit, cursor = '', q: query = '', account = '', tag = '', include } = request.query
      const included = commaSeparated(include)
      const page = await clients.agents.listAgents(
        {
          pageSize: limit,
          pageToken: cursor,
          query,
          account,
          tag,
          includeSpec: included.includes('spec'),
          includeReadme: included.includes('readme'),
        },
        callFor(request, reply),
      )
      return toAgentListJson(page)
    },
  )
}
