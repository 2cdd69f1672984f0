import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { changeCatalog } from '../../public-answers/drop-on-change.ts'
import { AccountPath } from '../path-parameters.ts'
import { NameBody, Renamed } from './schemas.ts'

/** `PUT /accounts/{account}`: renames an account. */
export function addRenameAccountRoute(app: App, { clients, publicAnswers }: GatewayContext): void {
  app.put(
    '/api/v1/accounts/:account',
    {
      schema: {
        operationId: 'renameAccount',
        summary: 'Rename an account',
        description:
          'Needs the role owner or admin. The old name is held for the account, so no one can ' +
          'take over links to it. Deployments, traces and tokens keep working.',
        tags: ['accounts'],
        params: AccountPath,
        body: NameBody,
        response: { 200: Renamed, ...problems(400, 401, 403, 404, 413, 415, 503) },
      },
    },
    async (request, reply) => {
      const names = { account: request.params.account, newName: request.body.name }
      const change = clients.accounts.renameAccount(names, callFor(request, reply))
      const { account } = await changeCatalog(publicAnswers, change)
      return { message: 'account renamed', name: account?.name ?? request.body.name }
    },
  )
}
