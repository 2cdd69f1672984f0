import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { CreatedAccount, NameBody } from './schemas.ts'

/** `POST /accounts`: creates a team account owned by the caller. */
export function addCreateAccountRoute(app: App, { clients }: GatewayContext): void {
  app.post(
    '/api/v1/accounts',
    {
      schema: {
        operationId: 'createAccount',
        summary: 'Create a team account',
        description:
          'The caller becomes its owner. The name must not be taken, reserved or held for an ' +
          'account that was renamed or deleted.',
        tags: ['accounts'],
        body: NameBody,
        response: { 201: CreatedAccount, ...problems(400, 401, 413, 415, 503) },
      },
    },
    async (request, reply) => {
      const { account } = await clients.accounts.createAccount(
        { name: request.body.name },
        callFor(request, reply),
      )
      return await reply
        .code(201)
        .send({ id: account?.id ?? '', name: account?.name ?? '', type: 'team', role: 'owner' })
    },
  )
}
