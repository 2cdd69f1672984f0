import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { HttpProblem } from '../../http/problem.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { sendJson } from '../../http/responses/send-json.ts'
import { AgentPath } from '../path-parameters.ts'
import { agentJson } from './mapping.ts'
import { Agent } from './schemas.ts'

/** `GET /agents/{account}/{name}`: members see all builds, others the published versions. */
export function addGetAgentRoute(app: App, { clients, publicAnswers }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name',
    {
      config: { access: 'optional' },
      schema: {
        operationId: 'getAgent',
        summary: 'Agent details and versions',
        description:
          'Members see all builds, the newest first. Others see the published versions, and 404 ' +
          'if there are none. An invalid token counts as none.',
        tags: ['agents'],
        params: AgentPath,
        response: { 200: Agent, ...problems(400, 404, 503) },
      },
    },
    (request, reply) => {
      const { account, name } = request.params
      const read = async (options: Parameters<typeof clients.agents.getAgent>[1]) => {
        const { agent } = await clients.agents.getAgent({ account, name }, options)
        if (agent === undefined) throw new HttpProblem(404, 'agent_not_found', 'agent not found')
        return agentJson(agent)
      }
      if (request.caller !== undefined) {
        return sendJson(reply, read(callFor(request, reply)), 'Authorization, Cookie')
      }
      const key = `agent\0${account}\0${name}`
      return publicAnswers.answer(request, reply, {
        key,
        varyOn: ['Authorization', 'Cookie'],
        read,
      })
    },
  )
}
