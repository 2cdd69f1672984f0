import { BuildChoice } from '@slipway/proto/slipway/catalog/v1/build_choice'
import { Type } from 'typebox'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { AnyText } from '../../http/schemas/kinds.ts'
import { askedBuild, BuildQuery, toChosenBuildJson } from '../build-choice.ts'
import { AgentPath } from '../path-parameters.ts'
import { commaSeparated } from './comma-separated.ts'
import { AgentConfig } from './schemas.ts'

/**
 * `GET /agents/{account}/{name}/config`: the credentials that a deployment of a build needs.
 */
export function addGetAgentConfigRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/config',
    {
      schema: {
        operationId: 'getAgentConfig',
        summary: 'Credentials and configuration that a deployment needs',
        description:
          'Unless the request names a build, for members of the newest build, and for others of ' +
          'the newest published version. Unknown names in `interfaces` are ignored.',
        tags: ['agents'],
        params: AgentPath,
        querystring: Type.Object({
          interfaces: Type.Optional(AnyText('Comma-separated interface names to include')),
          ...BuildQuery,
        }),
        response: { 200: AgentConfig, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const interfaces = commaSeparated(request.query.interfaces)
      const { isCurrent, ...build } = askedBuild(request.query)
      const asked = { ...request.params, ...build, interfaces }
      const call = callFor(request, reply)
      const config = isCurrent
        ? {
            choice: BuildChoice.CURRENT,
            ...(await clients.deployments.getCurrentBuild(asked, call)),
          }
        : await clients.agents.getAgentConfig(asked, call)
      return {
        agent: request.params.name,
        build_id: config.buildId,
        ...toChosenBuildJson({ version: config.version, buildChoice: config.choice }),
        credentials: config.credentials.map(
          ({ key, provider, category, description, optional }) => ({
            key,
            provider,
            category,
            description,
            optional,
          }),
        ),
      }
    },
  )
}
