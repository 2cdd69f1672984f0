import type { CallOptions } from '@connectrpc/connect'
import { Role } from '@slipway/proto/slipway/catalog/v1/account'

import { outcomeOf, type TestCatalog } from './catalog.ts'

type SignedIn = Awaited<ReturnType<TestCatalog['signIn']>>

/** A team with an owner and an admin, who creates machine tokens. */
export interface TeamWithTokens {
  readonly account: string
  readonly owner: SignedIn
  readonly admin: SignedIn
  readonly create: (
    wanted?: { name?: string; role?: Role; lifetimeDays?: number },
    as?: CallOptions,
  ) => Promise<TestToken>
  /** The outcome of a call for members. */
  readonly outcome: (options: CallOptions) => Promise<string>
}

/** A machine token with its secret. */
export interface TestToken {
  readonly id: string
  readonly secret: string
  readonly token: Awaited<ReturnType<TestCatalog['tokens']['createMachineToken']>>['token']
  readonly options: CallOptions
}

/** Creates a team whose account, owner and admin have `name` in their names. */
export async function makeTeam(catalog: TestCatalog, name: string): Promise<TeamWithTokens> {
  const owner = await catalog.signIn(`owner-${name}`)
  const admin = await catalog.signIn(`admin-${name}`)
  const account = `team-${name}`
  await catalog.accounts.createAccount({ name: account }, owner.options)
  const member = { account, userId: admin.userId, role: Role.ADMIN }
  await catalog.accounts.putMember(member, owner.options)
  return {
    account,
    owner,
    admin,
    async create(wanted = {}, as = admin.options) {
      const request = { account, name: 'ci', ...wanted }
      const { token, secret } = await catalog.tokens.createMachineToken(request, as)
      return { id: token?.id ?? '', token, secret, options: bearer(secret) }
    },
    outcome: async (options) =>
      await outcomeOf(catalog.accounts.getAccountUsage({ account }, options)),
  }
}

/** Call options with a token. */
export function bearer(secret: string): CallOptions {
  return { headers: { authorization: `Bearer ${secret}` } }
}
