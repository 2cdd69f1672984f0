import { Type } from 'typebox'

import type { App } from '../../http/app-type.ts'
import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import { HttpProblem } from '../../http/problem.ts'
import { Member, MemberList, MemberPath, MembersQuery, RoleBody } from './schemas.ts'
import { AccountPath } from '../path-parameters.ts'
import { needsToken, problems } from '../../http/schemas.ts'
import { fromRoleName, toMemberJson } from './mapping.ts'

/** `GET /accounts/{account}/members`, and `PUT` and `DELETE` of a single one. */
export function addMemberRoutes(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/accounts/:account/members',
    {
      schema: {
        operationId: 'listMembers',
        summary: 'Members of an account',
        tags: ['accounts'],
        security: needsToken,
        params: AccountPath,
        querystring: MembersQuery,
        response: { 200: MemberList, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { limit, cursor = '' } = request.query
      const page = { account: request.params.account, pageSize: limit, pageToken: cursor }
      const { members, nextPageToken } = await clients.accounts.listMembers(
        page,
        callFor(request, reply),
      )
      return {
        members: members.map(toMemberJson),
        count: members.length,
        ...(nextPageToken === '' ? {} : { next_cursor: nextPageToken }),
      }
    },
  )

  app.put(
    '/api/v1/accounts/:account/members/:user_id',
    {
      schema: {
        operationId: 'putMember',
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
      const { member } = await clients.accounts.putMember(
        { account, userId, role },
        callFor(request, reply),
      )
      if (member === undefined)
        throw new HttpProblem(500, 'internal_server_error', 'internal error')
      return toMemberJson(member)
    },
  )

  app.delete(
    '/api/v1/accounts/:account/members/:user_id',
    {
      schema: {
        operationId: 'deleteMember',
        summary: 'Remove a member',
        description:
          'Members may remove themselves. Removing somebody again is a 404: they are no member any more.',
        tags: ['accounts'],
        security: needsToken,
        params: MemberPath,
        response: {
          200: Type.Object({ message: Type.String() }),
          ...problems(400, 401, 403, 404, 503),
        },
      },
    },
    async (request, reply) => {
      const { account, user_id: userId } = request.params
      await clients.accounts.deleteMember({ account, userId }, callFor(request, reply))
      return { message: 'member removed' }
    },
  )
}
