import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { toRevisionWithSettingsJson } from './revision-mapping.ts'
import { Revision, RevisionPath } from './revision-schemas.ts'

/** `GET …/deployment/revisions/{revision}`: a revision with its settings. */
export function addGetRevisionRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/deployment/revisions/:revision',
    {
      schema: {
        operationId: 'getRevision',
        summary: 'A revision with its settings',
        description: 'Has names of credentials, and no values.',
        tags: ['deployments'],
        params: RevisionPath,
        response: { 200: Revision, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) =>
      toRevisionWithSettingsJson(
        await clients.deployments.getRevision(request.params, callFor(request, reply)),
      ),
  )
}
