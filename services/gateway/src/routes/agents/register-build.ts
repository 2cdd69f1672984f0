import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { NEEDS_TOKEN, problems } from '../../http/schemas.ts'
import { changeCatalog } from '../../public-answers/drop-on-change.ts'
import { AgentPath } from '../path-parameters.ts'
import { RegisterBody, Registered } from './schemas.ts'

/** `POST /agents/{account}/{name}/register`: registers a build or replaces an unpublished one. */
export function addRegisterBuildRoute(app: App, { clients, publicAnswers }: GatewayContext): void {
  app.post(
    '/api/v1/agents/:account/:name/register',
    {
      schema: {
        operationId: 'registerBuild',
        summary: 'Register a build',
        tags: ['agents'],
        security: NEEDS_TOKEN,
        params: AgentPath,
        body: RegisterBody,
        response: { 201: Registered, ...problems(400, 401, 403, 404, 413, 415, 503) },
      },
    },
    async (request, reply) => {
      const { account, name } = request.params
      const { build_id: buildId, registry, spec_content: specContent, readme } = request.body
      const { image_digests: imageDigests = {} } = request.body
      const build = {
        account,
        name,
        buildId,
        registry,
        specContent,
        imageDigests,
        ...(readme === undefined ? {} : { readme }),
      }
      const change = clients.agents.registerBuild(build, callFor(request, reply))
      const { validationWarnings } = await changeCatalog(publicAnswers, change)
      return await reply.code(201).send({
        message: 'Agent registered successfully',
        account,
        name,
        build_id: buildId,
        validation_warnings: validationWarnings.map(({ field, message }) => ({ field, message })),
      })
    },
  )
}
