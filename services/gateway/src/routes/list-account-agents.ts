import type { App } from '../app.ts'
import { callFor } from '../call.ts'
import type { GatewayContext } from '../context.ts'
import { AccountPath } from '../schemas/account.ts'
import { AccountAgentsQuery, AgentList } from '../schemas/agent.ts'
import { problems } from '../schemas/common.ts'
import { toAgentListJson } from './agent-mapping.ts'

/** `GET /agents/{account}`: outsiders see what is published, members every agent with its latest build. */
export function addListAccountAgentsRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account',
    {
      config: { access: 'optional' },
      schema: {
        summary: 'Agents of an account',
        tags: ['agents'],
        params: AccountPath,
        querystring: AccountAgentsQuery,
        response: { 200: AgentList, ...problems(400, 404, 503) },
      },
    },
    async (request, reply) => {
      const { account } = request.params
      const { limit, cursor = '' } = request.query
      const page = { account, pageSize: limit, pageToken: cursor }
      return toAgentListJson(await clients.agents.listAccountAgents(page, callFor(request, reply)))
    },
  )
}
