import type { Static } from 'typebox'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { StrictQuery, unknownFields } from '../../http/requests/unknown-fields.ts'
import { changeCatalog } from '../../public-answers/drop-on-change.ts'
import { AgentPath } from '../path-parameters.ts'
import { RegisterBody, Registered } from './build-schemas.ts'
import type { Commit } from './schemas.ts'

/** `POST /agents/{account}/{name}/register`: registers a build or replaces an unpublished one. */
export function addRegisterBuildRoute(app: App, { clients, publicAnswers }: GatewayContext): void {
  app.post(
    '/api/v1/agents/:account/:name/register',
    {
      schema: {
        operationId: 'registerBuild',
        summary: 'Register a build',
        description:
          'Needs the role owner or admin. Registering the same build again changes nothing, and ' +
          'does not make it the newest. An unpublished build can be replaced; of a published ' +
          'one, only the readme can change. Problems of the spec that do not prevent its ' +
          'registration are returned as warnings.',
        tags: ['agents'],
        params: AgentPath,
        querystring: StrictQuery,
        body: RegisterBody,
        response: { 201: Registered, ...problems(400, 401, 403, 404, 413, 415, 503) },
      },
    },
    async (request, reply) => {
      const unknown = unknownFields(request)
      const { account, name } = request.params
      const { build_id: buildId, registry, spec_content: specContent, readme } = request.body
      const { image_digests: imageDigests = {}, commit } = request.body
      const build = {
        account,
        name,
        buildId,
        registry,
        specContent,
        imageDigests,
        ...(readme === undefined ? {} : { readme }),
        ...(commit === undefined ? {} : { commit: fromCommit(commit) }),
      }
      const change = clients.agents.registerBuild(build, callFor(request, reply))
      const { validationWarnings, newestBuildId } = await changeCatalog(
        publicAnswers,
        change,
        // Older catalogs don't say it.
        ({ hasChangedPublishedBuild = true }) => hasChangedPublishedBuild,
      )
      const warnings = [...unknown, ...warningOfNewest(buildId, newestBuildId)]
      return await reply.code(201).send({
        message: 'Agent registered successfully',
        account,
        name,
        build_id: buildId,
        validation_warnings: validationWarnings.map(({ field, message }) => ({ field, message })),
        ...(warnings.length > 0 ? { warnings } : {}),
      })
    },
  )
}

function fromCommit({
  id,
  branch = '',
  message = '',
  has_changes: hasChanges = false,
  ci_run_url: ciRunUrl = '',
}: Static<typeof Commit>) {
  return { id, branch, message, hasChanges, ciRunUrl }
}

/** Without it, the deploy after a revert would bring the reverted build back. */
function warningOfNewest(buildId: string, newest: string): string[] {
  if (newest === '') return []
  const taken = `a deploy takes the newest build, ${newest}, unless it names one`
  return [
    `build ${buildId} is already registered, and ${taken}: deploy with "build_id": "${buildId}"`,
  ]
}
