import type { CallOptions } from '@connectrpc/connect'

import { DENIED, FOR_SERVICES, forUsers, type Outcomes } from './access-outcomes.ts'
import type { TestCatalog } from './catalog.ts'

type Call = (as: CallOptions | undefined) => Promise<unknown>

/** Calls of each RPC that change nothing for the next caller, with their outcomes. */
export type MatrixCalls = Readonly<Record<string, readonly (readonly [Call, Outcomes])[]>>

/** Calls of the RPCs that delete builds, agents and accounts. */
export function deletionCalls(catalog: () => TestCatalog, account: string): MatrixCalls {
  return {
    'AccountService.deleteAccount': [
      [
        (as) => catalog().accounts.deleteAccount({ account, realm: 'test', subject: account }, as),
        { ...FOR_SERVICES, service: 'personal_account' },
      ],
      [
        (as) =>
          catalog().accounts.deleteAccount({ account, realm: 'test', subject: 'the-admin' }, as),
        { ...FOR_SERVICES, service: DENIED },
      ],
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
      [
        (as) =>
          catalog().agents.deleteAgent(
            { account, name: 'private', dryRun: true, realm: 'test', subject: 'the-admin' },
            as,
          ),
        FOR_SERVICES,
      ],
      [
        (as) =>
          catalog().agents.deleteAgent(
            { account, name: 'private', dryRun: true, realm: 'test', subject: 'the-member' },
            as,
          ),
        { ...FOR_SERVICES, service: DENIED },
      ],
    ],
  }
}
