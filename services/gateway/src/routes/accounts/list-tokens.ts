import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { AccountPath } from '../path-parameters.ts'
import { toTokenJson } from './token-mapping.ts'
import { TokenList } from './token-schemas.ts'

/** `GET /accounts/{account}/tokens`: the machine tokens of an account. */
export function addListTokensRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/accounts/:account/tokens',
    {
      schema: {
        operationId: 'listMachineTokens',
        summary: 'Machine tokens of an account',
        description: 'For owners and admins, with their own token.',
        tags: ['accounts'],
        params: AccountPath,
        response: { 200: TokenList, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { account } = request.params
      const options = callFor(request, reply)
      const { tokens } = await clients.machineTokens.listMachineTokens({ account }, options)
      return { tokens: tokens.map(toTokenJson), count: tokens.length }
    },
  )
}
