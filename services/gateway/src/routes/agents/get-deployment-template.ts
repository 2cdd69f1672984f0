import { templateToYaml } from '@slipway/agent-spec'
import { Type } from 'typebox'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { AnyText, FreeObject, NEEDS_TOKEN, problems, Text } from '../../http/schemas.ts'
import { AgentPath } from '../path-parameters.ts'

/** `GET /agents/{account}/{name}/deployment-template`: a build's template, as YAML or JSON. */
export function addGetDeploymentTemplateRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/deployment-template',
    {
      schema: {
        operationId: 'getDeploymentTemplate',
        summary: 'Deployment spec template of a build',
        tags: ['agents'],
        security: NEEDS_TOKEN,
        params: AgentPath,
        querystring: Type.Object({
          build: Type.Optional(Text('A build id; the latest build by default')),
          format: Type.Optional(AnyText('json or yaml; yaml by default')),
        }),
        response: {
          200: {
            description: 'The template',
            content: {
              // The handler sends a string; the schema describes its content.
              'application/yaml': {
                schema: Type.Unsafe<string>({ type: 'object', additionalProperties: true }),
              },
              'application/json': { schema: FreeObject('The template') },
            },
          },
          ...problems(400, 401, 404, 503),
        },
      },
    },
    async (request, reply) => {
      const { build: buildId = '', format } = request.query
      const { templateJson } = await clients.agents.getDeploymentTemplate(
        { ...request.params, buildId },
        callFor(request, reply),
      )
      const asIs = reply.serializer((text: string) => text)
      if (format === 'json') return await asIs.type('application/json').send(templateJson)
      return await asIs.type('application/yaml').send(templateToYaml(JSON.parse(templateJson)))
    },
  )
}
