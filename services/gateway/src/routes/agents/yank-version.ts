import { Type } from 'typebox'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { about } from '../../http/schemas/kinds.ts'
import { changeCatalog } from '../../public-answers/drop-on-change.ts'
import { VersionName } from '../names.ts'
import { AgentPath } from '../path-parameters.ts'
import { Yanked } from './build-schemas.ts'

const ACTIONS = [
  {
    action: 'yank',
    method: 'yankVersion',
    summary: 'Exclude a version from being selected as the latest',
    description:
      'Needs the role owner or admin. The version stays visible, is shown as yanked, and can ' +
      'still be deployed by its deployments. Yanking it again changes nothing.',
    message: 'version yanked',
  },
  {
    action: 'unyank',
    method: 'unyankVersion',
    summary: 'Undo a yank',
    description: 'Needs the role owner or admin. Undoing it again changes nothing.',
    message: 'version unyanked',
  },
] as const

/** `POST /agents/{account}/{name}/versions/{version}/yank`, and `/unyank`. */
export function addYankVersionRoutes(app: App, { clients, publicAnswers }: GatewayContext): void {
  for (const { action, method, summary, description, message } of ACTIONS) {
    app.post(
      `/api/v1/agents/:account/:name/versions/:version/${action}`,
      {
        schema: {
          operationId: method,
          summary,
          description,
          tags: ['agents'],
          params: Type.Interface([AgentPath], {
            version: about(VersionName, 'A published version'),
          }),
          response: { 200: Yanked, ...problems(400, 401, 403, 404, 503) },
        },
      },
      async (request, reply) => {
        const change = async () =>
          await clients.agents[method](request.params, callFor(request, reply))
        const { buildId } = await changeCatalog(publicAnswers, change())
        return { message, ...request.params, build_id: buildId }
      },
    )
  }
}
