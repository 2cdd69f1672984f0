import type { CallOptions } from '@connectrpc/connect'

import { DENIED, FOR_SERVICES, forUsers, type Outcomes } from './access-outcomes.ts'
import type { TestCatalog } from './catalog.ts'

type Call = (as: CallOptions | undefined) => Promise<unknown>

/** Calls of each RPC that change nothing for the next caller, with their outcomes. */
export type MatrixCalls = Readonly<Record<string, readonly (readonly [Call, Outcomes])[]>>

/** Calls of the RPCs that delete builds, agents and accounts. */
export function deletionCalls(catalog: () => TestCatalog, account: string): MatrixCalls {
  const deleteAccount =
    (subject: string): Call =>
    async (as) => {
      const userToken = await catalog().issuer.userToken(subject)
      await catalog().accounts.deleteAccount({ account, userToken }, as)
    }
  const deleteAgent =
    (subject: string): Call =>
    async (as) => {
      const userToken = await catalog().issuer.userToken(subject)
      const request = { account, name: 'private', dryRun: true, userToken }
      await catalog().agents.deleteAgent(request, as)
    }
  return {
    'AccountService.deleteAccount': [
      [deleteAccount(account), { ...FOR_SERVICES, service: 'personal_account' }],
      [deleteAccount('the-admin'), { ...FOR_SERVICES, service: DENIED }],
    ],
    'AgentService.deleteBuild': [
      [
        (as) => catalog().agents.deleteBuild({ account, name: 'public', buildId: 'b1' }, as),
        { ...forUsers(DENIED, DENIED, 'build_published'), owner: 'build_published' },
      ],
      [
        (as) =>
          catalog().agents.deleteBuild(
            { account, name: 'public', buildId: 'b2', dryRun: true },
            as,
          ),
        forUsers(DENIED, DENIED),
      ],
    ],
    'AgentService.deleteAgent': [
      [deleteAgent('the-admin'), FOR_SERVICES],
      [deleteAgent('the-member'), { ...FOR_SERVICES, service: DENIED }],
    ],
  }
}
