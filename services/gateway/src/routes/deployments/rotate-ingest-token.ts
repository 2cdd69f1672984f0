import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { toTimeText } from '../../http/requests/time.ts'
import { AgentPath } from '../path-parameters.ts'
import { GraceQuery, RotatedToken } from './state-schemas.ts'
import { DEPLOY_TIMEOUT_MS } from './deploy-timeout.ts'

/**
 * `POST /agents/{account}/{name}/deployment/rotate-ingest-token`: replaces the token that the agent
 * uses to send traces.
 */
export function addRotateIngestTokenRoute(app: App, { clients }: GatewayContext): void {
  app.post(
    '/api/v1/agents/:account/:name/deployment/rotate-ingest-token',
    {
      config: { waitsLong: true },
      schema: {
        operationId: 'rotateIngestToken',
        summary: 'Replace the ingest token of a deployment',
        description:
          'Restarts the agent with a new token. Former tokens stay valid for the grace time: by ' +
          'default, until the agent is ready with the new one.',
        tags: ['deployments'],
        params: AgentPath,
        querystring: GraceQuery,
        response: {
          200: RotatedToken,
          ...problems(400, 401, 403, 404, 409, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { grace } = request.query
      const { rotateTime, formerExpireTime } = await clients.deployments.rotateIngestToken(
        { ...request.params, ...(grace !== undefined && { grace: { seconds: BigInt(grace) } }) },
        callFor(request, reply, DEPLOY_TIMEOUT_MS),
      )
      return {
        message: 'ingest token rotated',
        rotated_at: toTimeText(rotateTime),
        ...(formerExpireTime && { former_token_expires_at: toTimeText(formerExpireTime) }),
      }
    },
  )
}
