import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { RevokedToken, TokenPath } from './token-schemas.ts'

/** `DELETE /accounts/{account}/tokens/{token_id}`: revokes a machine token. */
export function addDeleteTokenRoute(
  app: App,
  { clients, machineTokenVerifier }: GatewayContext,
): void {
  app.delete(
    '/api/v1/accounts/:account/tokens/:token_id',
    {
      schema: {
        operationId: 'revokeMachineToken',
        summary: 'Revoke a machine token',
        description:
          'For owners and admins, with their own token. It takes effect at once, and while no ' +
          'events can be delivered within 5 seconds. Revoking it a second time is a 404.',
        tags: ['accounts'],
        params: TokenPath,
        response: { 200: RevokedToken, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { account, token_id: id } = request.params
      const { accountId } = await clients.machineTokens.revokeMachineToken(
        { account, id },
        callFor(request, reply),
      )
      machineTokenVerifier.drop(accountId)
      return { message: 'token revoked' }
    },
  )
}
