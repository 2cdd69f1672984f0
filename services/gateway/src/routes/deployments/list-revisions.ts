import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { AgentPath } from '../path-parameters.ts'
import { toRevisionJson } from './revision-mapping.ts'
import { RevisionList } from './revision-schemas.ts'
import { PageQuery } from './state-schemas.ts'

/** `GET /agents/{account}/{name}/deployment/revisions`: the revisions, newest first. */
export function addListRevisionsRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/deployment/revisions',
    {
      schema: {
        operationId: 'listRevisions',
        summary: 'Revisions of a deployment',
        description: 'Every deploy and rollback that changed the deployment, the newest first.',
        tags: ['deployments'],
        params: AgentPath,
        querystring: PageQuery,
        response: { 200: RevisionList, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { limit, cursor = '' } = request.query
      const page = { ...request.params, pageSize: limit, pageToken: cursor }
      const { revisions, nextPageToken } = await clients.deployments.listRevisions(
        page,
        callFor(request, reply),
      )
      return {
        revisions: revisions.map(toRevisionJson),
        count: revisions.length,
        ...(nextPageToken === '' ? {} : { next_cursor: nextPageToken }),
      }
    },
  )
}
