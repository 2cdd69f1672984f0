import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { AccountPath } from '../path-parameters.ts'
import { toMemberJson } from './mapping.ts'
import { MemberList, MembersQuery } from './schemas.ts'

/** `GET /accounts/{account}/members`: the members of an account with their roles. */
export function addListMembersRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/accounts/:account/members',
    {
      schema: {
        operationId: 'listMembers',
        summary: 'Members of an account',
        description: 'Any member can list them.',
        tags: ['accounts'],
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
}
