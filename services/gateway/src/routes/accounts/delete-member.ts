import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { MemberPath, RemovedMember } from './schemas.ts'

/** `DELETE /accounts/{account}/members/{user_id}`: removes a member. */
export function addDeleteMemberRoute(app: App, { clients }: GatewayContext): void {
  app.delete(
    '/api/v1/accounts/:account/members/:user_id',
    {
      schema: {
        operationId: 'deleteMember',
        summary: 'Remove a member',
        description: 'Members may remove themselves. Removing a member a second time is a 404.',
        tags: ['accounts'],
        params: MemberPath,
        response: {
          200: RemovedMember,
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
