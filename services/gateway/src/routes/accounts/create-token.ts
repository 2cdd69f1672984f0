import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { valueOf } from '@slipway/shared/enum-names'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { AccountPath } from '../path-parameters.ts'
import { toTokenJson } from './token-mapping.ts'
import { CreatedToken, TokenRequest } from './token-schemas.ts'

/** `POST /accounts/{account}/tokens`: creates a machine token. */
export function addCreateTokenRoute(app: App, { clients }: GatewayContext): void {
  app.post(
    '/api/v1/accounts/:account/tokens',
    {
      config: { returnsSecret: true },
      schema: {
        operationId: 'createMachineToken',
        summary: 'Create a machine token',
        description:
          'For owners and admins, with their own token. The machine token acts in this account ' +
          'only. Idempotency-Key is ignored, because responses with secrets are not stored.',
        tags: ['accounts'],
        params: AccountPath,
        body: TokenRequest,
        response: { 201: CreatedToken, ...problems(400, 401, 403, 404, 413, 415, 503) },
      },
    },
    async (request, reply) => {
      const { name, role, expires_in_days: lifetimeDays = 0 } = request.body
      const wanted = {
        account: request.params.account,
        name,
        role: role === undefined ? Role.UNSPECIFIED : valueOf(Role, role),
        lifetimeDays,
      }
      const { token, secret } = await clients.machineTokens.createMachineToken(
        wanted,
        callFor(request, reply),
      )
      return await reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...toTokenJson(token), token: secret })
    },
  )
}
