import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { valueOf } from '@slipway/shared/enum-names'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { HttpProblem } from '../../http/problem.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { toMemberJson } from './mapping.ts'
import { Member, MemberPath, RoleBody } from './schemas.ts'

/** `PUT /accounts/{account}/members/{user_id}`: adds a member or changes their role. */
export function addPutMemberRoute(app: App, { clients }: GatewayContext): void {
  app.put(
    '/api/v1/accounts/:account/members/:user_id',
    {
      schema: {
        operationId: 'putMember',
        summary: 'Add a member or change their role',
        description:
          'Members with any role can assign their current role to themselves. This confirms the ' +
          'membership: the other members then see their name and e-mail address.',
        tags: ['accounts'],
        params: MemberPath,
        body: RoleBody,
        response: { 200: Member, ...problems(400, 401, 403, 404, 413, 415, 503) },
      },
    },
    async (request, reply) => {
      const { account, user_id: userId } = request.params
      const role = valueOf(Role, request.body.role)
      const { member } = await clients.accounts.putMember(
        { account, userId, role },
        callFor(request, reply),
      )
      if (member === undefined)
        throw new HttpProblem(500, 'internal_server_error', 'internal error')
      return toMemberJson(member)
    },
  )
}
