import { templateToYaml } from '@slipway/agent-spec'
import { Type } from 'typebox'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { FreeObject } from '../../http/schemas/kinds.ts'
import { askedBuild, BuildQuery } from '../build-choice.ts'
import { AgentPath } from '../path-parameters.ts'
import { templateExample } from './examples.ts'

const Template = FreeObject('The template', { title: 'DeploymentTemplate' })

/** `GET /agents/{account}/{name}/deployment-template`: a build's template, as YAML or JSON. */
export function addGetDeploymentTemplateRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/deployment-template',
    {
      schema: {
        operationId: 'getDeploymentTemplate',
        summary: 'Deployment spec template of a build',
        description:
          'What a deploy of the build would run, with the credentials and schedules to fill in, ' +
          'and the paths that `overrides` can change. YAML unless `format` is json.',
        tags: ['agents'],
        params: AgentPath,
        querystring: Type.Object({
          ...BuildQuery,
          format: Type.Optional(
            Type.Unsafe<string>({
              type: 'string',
              description: 'yaml by default',
              'x-document': { only: { enum: ['json', 'yaml'] } },
            }),
          ),
        }),
        response: {
          200: {
            description: 'The template',
            content: {
              // The handler sends a string; the schema describes its content.
              'application/json': {
                schema: Type.Unsafe<string>(Template),
                example: templateExample,
              },
              'application/yaml': {
                schema: Type.String({ description: 'The template as YAML' }),
                example: templateToYaml(templateExample),
              },
            },
          },
          ...problems(400, 401, 403, 404, 503),
        },
      },
    },
    async (request, reply) => {
      const { isCurrent, ...build } = askedBuild(request.query)
      const asked = { ...request.params, ...build }
      const call = callFor(request, reply)
      const { templateJson } = isCurrent
        ? await clients.deployments.getCurrentBuild(asked, call)
        : await clients.agents.getDeploymentTemplate(asked, call)
      const asIs = reply.serializer((text: string) => text)
      if (request.query.format === 'json')
        return await asIs.type('application/json').send(templateJson)
      return await asIs.type('application/yaml').send(templateToYaml(JSON.parse(templateJson)))
    },
  )
}
