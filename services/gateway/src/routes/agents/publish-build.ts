import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { changeCatalog } from '../../public-answers/drop-on-change.ts'
import { AgentPath } from '../path-parameters.ts'
import { PublishBody, Published } from './build-schemas.ts'

/** `POST /agents/{account}/{name}/publish`: publishes a build under a version. */
export function addPublishBuildRoute(app: App, { clients, publicAnswers }: GatewayContext): void {
  app.post(
    '/api/v1/agents/:account/:name/publish',
    {
      schema: {
        operationId: 'publishBuild',
        summary: 'Publish a build under a version',
        description:
          'Needs the role owner or admin. The version becomes visible to everyone and is never ' +
          'deleted, only yanked. A build has one version. Publishing it again under the same ' +
          'version changes nothing.',
        tags: ['agents'],
        params: AgentPath,
        body: PublishBody,
        response: { 201: Published, ...problems(400, 401, 403, 404, 413, 415, 503) },
      },
    },
    async (request, reply) => {
      const { account, name } = request.params
      const { build_id: buildId, version } = request.body
      const build = { account, name, buildId, version }
      await changeCatalog(
        publicAnswers,
        clients.agents.publishBuild(build, callFor(request, reply)),
      )
      return await reply
        .code(201)
        .send({ message: 'agent published', account, name, build_id: buildId, version })
    },
  )
}
