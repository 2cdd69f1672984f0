import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { commaSeparated } from './comma-separated.ts'
import { agentListJson } from './mapping.ts'
import { AgentList, AgentListQuery } from './schemas.ts'

/** `GET /agents`: the agents that have a published version, each with its latest one. */
export function addListAgentsRoute(app: App, { clients, publicAnswers }: GatewayContext): void {
  app.get(
    '/api/v1/agents',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'listAgents',
        summary: 'List agents that have a published version',
        description:
          'The public catalog: each agent with its latest published version. A page has at most ' +
          '`limit` agents, and fewer if they are large; `next_cursor` is present if there are ' +
          'more. A search that is too expensive is refused with `search_too_broad`: narrow it. ' +
          'Searches, and pages with specs or readmes, of a client are read one at a time.',
        tags: ['agents'],
        querystring: AgentListQuery,
        response: { 200: AgentList, ...problems(400, 503) },
      },
    },
    (request, reply) => {
      const { limit, cursor = '', q: query = '', account = '', tag = '', include } = request.query
      const included = commaSeparated(include)
      const includeSpec = included.includes('spec')
      const includeReadme = included.includes('readme')
      const page = {
        pageSize: limit,
        pageToken: cursor,
        query,
        account,
        tag,
        includeSpec,
        includeReadme,
      }
      return publicAnswers.answer(request, reply, {
        // No parameter can contain NUL.
        key: ['list', ...Object.values(page)].join('\0'),
        isCostly: query !== '' || tag !== '' || includeSpec || includeReadme,
        read: async (options) => agentListJson(await clients.agents.listAgents(page, options)),
      })
    },
  )
}
