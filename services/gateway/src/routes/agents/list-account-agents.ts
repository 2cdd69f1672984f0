import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { sendJson } from '../../http/responses/send-json.ts'
import { AccountPath } from '../path-parameters.ts'
import { agentListJson } from './mapping.ts'
import { AccountAgentList, AccountAgentsQuery } from './schemas.ts'

/**
 * `GET /agents/{account}`: members see all agents with their latest build, others published agents.
 */
export function addListAccountAgentsRoute(
  app: App,
  { clients, publicAnswers }: GatewayContext,
): void {
  app.get(
    '/api/v1/agents/:account',
    {
      config: { access: 'optional' },
      schema: {
        operationId: 'listAccountAgents',
        summary: 'Agents of an account',
        description:
          'Members see every agent with its latest build, others the published agents with ' +
          'their latest version.',
        tags: ['agents'],
        params: AccountPath,
        querystring: AccountAgentsQuery,
        response: { 200: AccountAgentList, ...problems(400, 404, 503) },
      },
    },
    (request, reply) => {
      const { account } = request.params
      const { limit, cursor = '' } = request.query
      const read = async (options: Parameters<typeof clients.agents.listAccountAgents>[1]) =>
        agentListJson(
          await clients.agents.listAccountAgents(
            { account, pageSize: limit, pageToken: cursor },
            options,
          ),
        )
      if (request.caller !== undefined) {
        return sendJson(reply, read(callFor(request, reply)), 'Authorization, Cookie')
      }
      const key = `account\0${account}\0${limit}\0${cursor}`
      return publicAnswers.answer(request, reply, {
        key,
        varyOn: ['Authorization', 'Cookie'],
        read,
      })
    },
  )
}
