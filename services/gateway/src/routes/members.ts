import { Type } from 'typebox'

import type { App } from '../app.ts'
import { callFor } from '../call.ts'
import type { GatewayContext } from '../context.ts'
import { HttpProblem } from '../problem.ts'
import { AccountPath, Member, MemberList, MemberPath, RoleBody } from '../schemas/account.ts'
import { needsToken, problems } from '../schemas/common.ts'
import { fromRoleName, toMemberJson } from './role-mapping.ts'

/** `GET /accounts/{account}/members`, and `PUT` and `DELETE` of a single one. */
export function addMemberRoutes(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/accounts/:account/members',
    {
      schema: {
        summary: 'Members of an account',
        tags: ['accounts'],
        security: needsToken,
        params: AccountPath,
        response: { 200: MemberList, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { members } = await clients.accounts.listMembers(request.params, callFor(request, reply))
      return { members: members.map(toMemberJson) }
    },
  )

  app.put(
    '/api/v1/accounts/:account/members/:user_id',
    {
      schema: {
        summary: 'Add a member or change their role',
        tags: ['accounts'],
        security: needsToken,
        params: MemberPath,
        body: RoleBody,
        response: { 200: Member, ...problems(400, 401, 403, 404, 413, 415, 503) },
      },
    },
    async (request, reply) => {
      const { account, user_id: userId } = request.params
      const role = fromRoleName(request.body.role)
      const { member } = await clients.accounts.putMember({ account, userId, role }, callFor(request, reply))
      if (member === undefined) throw new HttpProblem(500, 'internal_server_error', 'internal error')
      return toMemberJson(member)
    },
  )

  app.delete(
    '/api/v1/accounts/:account/members/:user_id',
    {
      schema: {
        summary: 'Remove a member',
        tags: ['accounts'],
        security: needsToken,
        params: MemberPath,
        response: { 200: Type.Object({ message: Type.String() }), ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { account, user_id: userId } = request.params
      await clients.accounts.deleteMember({ account, userId }, callFor(request, reply))
      return { message: 'member removed' }
    },
  )
}
