import type { App } from '../app.ts'
import { callFor } from '../call.ts'
import type { GatewayContext } from '../context.ts'
import { HttpProblem } from '../problem.ts'
import { Agent } from '../schemas/agent.ts'
import { AgentPath, problems } from '../schemas/common.ts'
import { toAgentJson } from './agent-mapping.ts'

/** `GET /agents/{account}/{name}`: outsiders see published versions, members all builds. */
export function addGetAgentRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name',
    {
      config: { access: 'optional' },
      schema: {
        summary: 'Agent details and versions',
        tags: ['agents'],
        params: AgentPath,
        response: { 200: Agent, ...problems(400, 404, 503) },
      },
    },
    async (request, reply) => {
      const { agent } = await clients.agents.getAgent(request.params, callFor(request, reply))
      if (agent === undefined) throw new HttpProblem(404, 'agent_not_found', 'agent not found')
      return toAgentJson(agent)
    },
  )
}
