import type { ServiceImpl } from '@connectrpc/connect'
import {
  AccountService,
  type CheckAccessRequest,
} from '@slipway/proto/slipway/catalog/v1/account_service'
import { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import type { CreateBrowserSessionRequest } from '@slipway/proto/slipway/catalog/v1/browser_session'
import { BrowserSessionService } from '@slipway/proto/slipway/catalog/v1/browser_session_service'
import { MachineTokenService } from '@slipway/proto/slipway/catalog/v1/machine_token_service'
import type { ResolveBuildRequest } from '@slipway/proto/slipway/catalog/v1/resolve_build'
import { userKey } from '@slipway/shared/auth'
import { withIdempotencyKeys } from '@slipway/shared/idempotency'
import {
  guardService,
  type AccessRules,
  type GuardedService,
  type PolicyDependencies,
} from '@slipway/shared/rpc'

import type { CatalogContext } from '../context.ts'
import { checkAccess } from './check-access.ts'
import { createAccount } from './create-account.ts'
import { createBrowserSession, verifyUser } from './create-browser-session.ts'
import { createMachineToken } from './create-machine-token.ts'
import { deleteAccount } from './delete-account.ts'
import { deleteAgent } from './delete-agent.ts'
import { deleteBuild } from './delete-build.ts'
import { deleteMember } from './delete-member.ts'
import { endBrowserSession } from './end-browser-session.ts'
import { getAccountUsage } from './get-account-usage.ts'
import { getAgent } from './get-agent.ts'
import { getAgentConfig } from './get-agent-config.ts'
import { getBrowserSession } from './get-browser-session.ts'
import { getDeploymentTemplate } from './get-deployment-template.ts'
import { getProfile } from './get-profile.ts'
import { inTurn } from './in-turn.ts'
import { leaseBrowserSession } from './lease-browser-session.ts'
import { listAccountAgents } from './list-account-agents.ts'
import { listAgents } from './list-agents.ts'
import { listMachineTokens } from './list-machine-tokens.ts'
import { listMembers } from './list-members.ts'
import { publishBuild } from './publish-build.ts'
import { putMember } from './put-member.ts'
import { registerBuild } from './register-build.ts'
import { renameAccount } from './rename-account.ts'
import { resolveBuild } from './resolve-build.ts'
import { revokeMachineToken } from './revoke-machine-token.ts'
import { searchInTurn } from './search-turns.ts'
import { updateBrowserSession } from './update-browser-session.ts'
import { verifyMachineToken } from './verify-machine-token.ts'
import { unyankVersion, yankVersion } from './yank-version.ts'

/** The catalog's RPCs with their policies. */
export function routes(
  context: CatalogContext,
  dependencies: PolicyDependencies,
): readonly GuardedService[] {
  const accounts = withIdempotencyKeys(
    AccountService,
    accountService(context),
    ['createAccount'],
    context.db,
  )
  const agents = withIdempotencyKeys(
    AgentService,
    agentService(context),
    KEYED_AGENT_METHODS,
    context.db,
  )
  const accountsInTurn = inTurn<typeof AccountService>(context.calls, accounts, {
    checkAccess: (request: CheckAccessRequest) => request.countsFor || userKey(request),
  })
  const agentsInTurn = inTurn<typeof AgentService>(context.calls, agents, {
    resolveBuild: ({ accountId }: ResolveBuildRequest) => `account ${accountId}`,
  })
  const searchesInTurn = {
    ...agentsInTurn,
    listAgents: searchInTurn(context.searches, agentsInTurn.listAgents),
  }
  const machineTokens = inTurn<typeof MachineTokenService>(
    context.calls,
    machineTokenService(context),
    {},
  )
  const sessions = inTurn<typeof BrowserSessionService>(
    context.calls,
    browserSessionService(context),
    {
      createBrowserSession: async ({ userToken }: CreateBrowserSessionRequest) =>
        userKey(await verifyUser(context, userToken)),
      getBrowserSession: sessionOf,
      leaseBrowserSession: sessionOf,
      updateBrowserSession: sessionOf,
      endBrowserSession: sessionOf,
    },
  )
  return [
    guardService(AccountService, accountsInTurn, ACCOUNT_ACCESS, dependencies),
    guardService(AgentService, searchesInTurn, AGENT_ACCESS, dependencies),
    guardService(MachineTokenService, machineTokens, MACHINE_TOKEN_ACCESS, dependencies),
    guardService(BrowserSessionService, sessions, BROWSER_SESSION_ACCESS, dependencies),
  ]
}

/** The gateway calls for a session whose user it doesn't name, so each session counts as a user. */
function sessionOf({ hash }: { readonly hash: Uint8Array }): string {
  return `session ${Buffer.from(hash.subarray(0, 32)).toString('hex')}`
}

function accountService(context: CatalogContext): ServiceImpl<typeof AccountService> {
  return {
    getProfile: getProfile(context),
    createAccount: createAccount(context),
    renameAccount: renameAccount(context),
    listMembers: listMembers(context),
    putMember: putMember(context),
    deleteMember: deleteMember(context),
    getAccountUsage: getAccountUsage(context),
    deleteAccount: deleteAccount(context),
    checkAccess: checkAccess(context),
  }
}

function machineTokenService(context: CatalogContext): ServiceImpl<typeof MachineTokenService> {
  return {
    createMachineToken: createMachineToken(context),
    listMachineTokens: listMachineTokens(context),
    revokeMachineToken: revokeMachineToken(context),
    verifyMachineToken: verifyMachineToken(),
  }
}

function browserSessionService(context: CatalogContext): ServiceImpl<typeof BrowserSessionService> {
  return {
    createBrowserSession: createBrowserSession(context),
    getBrowserSession: getBrowserSession(context),
    leaseBrowserSession: leaseBrowserSession(context),
    updateBrowserSession: updateBrowserSession(context),
    endBrowserSession: endBrowserSession(context),
  }
}

function agentService(context: CatalogContext): ServiceImpl<typeof AgentService> {
  return {
    listAgents: listAgents(context),
    listAccountAgents: listAccountAgents(context),
    getAgent: getAgent(context),
    registerBuild: registerBuild(context),
    publishBuild: publishBuild(context),
    yankVersion: yankVersion(context),
    unyankVersion: unyankVersion(context),
    deleteBuild: deleteBuild(context),
    deleteAgent: deleteAgent(context),
    getAgentConfig: getAgentConfig(context),
    getDeploymentTemplate: getDeploymentTemplate(context),
    resolveBuild: resolveBuild(context),
  }
}

const KEYED_AGENT_METHODS = [
  'registerBuild',
  'publishBuild',
  'yankVersion',
  'unyankVersion',
] as const

const ACCOUNT_ACCESS: AccessRules<typeof AccountService> = {
  getProfile: 'user',
  createAccount: 'user',
  renameAccount: 'user',
  listMembers: 'user',
  putMember: 'user',
  deleteMember: 'user',
  getAccountUsage: 'user',
  deleteAccount: { services: ['deployer'] },
  checkAccess: { services: ['deployer', 'observability'] },
}

const MACHINE_TOKEN_ACCESS: AccessRules<typeof MachineTokenService> = {
  createMachineToken: 'user',
  listMachineTokens: 'user',
  revokeMachineToken: 'user',
  verifyMachineToken: 'user',
}

const GATEWAY_ONLY = { services: ['gateway'] } as const

const BROWSER_SESSION_ACCESS: AccessRules<typeof BrowserSessionService> = {
  createBrowserSession: GATEWAY_ONLY,
  getBrowserSession: GATEWAY_ONLY,
  leaseBrowserSession: GATEWAY_ONLY,
  updateBrowserSession: GATEWAY_ONLY,
  endBrowserSession: GATEWAY_ONLY,
}

const AGENT_ACCESS: AccessRules<typeof AgentService> = {
  listAgents: 'public',
  listAccountAgents: 'optional',
  getAgent: 'optional',
  registerBuild: 'user',
  publishBuild: 'user',
  yankVersion: 'user',
  unyankVersion: 'user',
  deleteBuild: 'user',
  deleteAgent: { services: ['deployer'] },
  getAgentConfig: 'user',
  getDeploymentTemplate: 'user',
  resolveBuild: { services: ['deployer'] },
}
