import { AccountType } from '@slipway/proto/slipway/catalog/v1/account'
import { nameOf } from '@slipway/shared/enum-names'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { toRoleName } from './mapping.ts'
import { Profile } from './schemas.ts'
import { toTokenJson } from './token-mapping.ts'

/** `GET /me`: the calling user and their accounts. The first call creates the personal account. */
export function addGetProfileRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/me',
    {
      schema: {
        operationId: 'getProfile',
        summary: 'Current user profile and accounts',
        description:
          'The first call of a new user creates their personal account. With a machine token, ' +
          'the response describes the token and its only account.',
        tags: ['accounts'],
        response: { 200: Profile, ...problems(401, 503) },
      },
    },
    async (request, reply) => {
      const { user, accounts, hasMoreAccounts, machineToken } = await clients.accounts.getProfile(
        {},
        callFor(request, reply),
      )
      return {
        user: {
          id: user?.id ?? '',
          ...(user?.email === undefined ? {} : { email: user.email }),
          ...(user?.firstName === undefined ? {} : { first_name: user.firstName }),
          ...(user?.lastName === undefined ? {} : { last_name: user.lastName }),
        },
        accounts: accounts.map(({ account, role, confirmed, agents }) => ({
          id: account?.id ?? '',
          name: account?.name ?? '',
          type: nameOf(AccountType, account?.type ?? 0) ?? 'personal',
          role: toRoleName(role),
          confirmed,
          agents: agents.map((agent) => ({
            name: agent.name,
            registry: agent.registry,
            build_count: agent.buildCount,
            published_version_count: agent.publishedVersionCount,
          })),
        })),
        ...(hasMoreAccounts && { has_more_accounts: true }),
        ...(machineToken && { machine_token: toTokenJson(machineToken) }),
      }
    },
  )
}
