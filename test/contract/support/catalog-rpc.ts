import { createClient, type CallOptions, type Transport } from '@connectrpc/connect'
import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { MachineTokenService } from '@slipway/proto/slipway/catalog/v1/machine_token_service'
import { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'

import type { Case } from '../cases/case.ts'

const ROLES: Readonly<Record<string, Role>> = {
  owner: Role.OWNER,
  admin: Role.ADMIN,
  member: Role.MEMBER,
}

/** Calls the RPC of a case's route. */
export async function callAsRpc(
  transport: Transport,
  each: Case,
  options: CallOptions,
): Promise<unknown> {
  const agents = createClient(AgentService, transport)
  const accounts = createClient(AccountService, transport)
  const tokens = createClient(MachineTokenService, transport)
  const deployments = createClient(DeploymentService, transport)
  const { params = {}, query = {}, body = {} } = each
  const { account = '', name = '', version = '', user_id: userId = '' } = params
  const text = (key: string) => {
    const value = body[key]
    return typeof value === 'string' ? value : ''
  }
  const { image_digests: digests = {} } = body
  const page = { pageSize: Number(query['limit'] ?? 0), pageToken: query['cursor'] ?? '' }
  const dryRun = query['dry_run'] === 'true'
  switch (each.route) {
    case 'GET /agents':
      return await agents.listAgents({ ...page, ...filtersOf(query) }, options)
    case 'GET /agents/{account}':
      return await agents.listAccountAgents({ ...page, account }, options)
    case 'GET /agents/{account}/{name}':
      return await agents.getAgent({ account, name }, options)
    case 'GET /agents/{account}/{name}/config':
      if (each.service === 'deployer')
        return await deployments.getCurrentBuild({ account, name }, options)
      return await agents.getAgentConfig(
        { account, name, interfaces: query['interfaces']?.split(',') ?? [], ...namedIn(query) },
        options,
      )
    case 'GET /agents/{account}/{name}/deployment-template':
      if (each.service === 'deployer')
        return await deployments.getCurrentBuild({ account, name }, options)
      return await agents.getDeploymentTemplate({ account, name, ...namedIn(query) }, options)
    case 'POST /agents/{account}/{name}/register': {
      const build = {
        buildId: text('build_id'),
        registry: text('registry'),
        specContent: text('spec_content'),
        imageDigests: typeof digests === 'object' ? (digests as Record<string, string>) : {},
      }
      return await agents.registerBuild(
        { account, name, ...build, readme: text('readme') },
        options,
      )
    }
    case 'POST /agents/{account}/{name}/publish':
      return await agents.publishBuild(
        { account, name, buildId: text('build_id'), version: text('version') },
        options,
      )
    case 'POST /agents/{account}/{name}/versions/{version}/yank':
      return await agents.yankVersion({ account, name, version }, options)
    case 'POST /agents/{account}/{name}/versions/{version}/unyank':
      return await agents.unyankVersion({ account, name, version }, options)
    case 'GET /me':
      return await accounts.getProfile({}, options)
    case 'POST /accounts':
      return await accounts.createAccount({ name: text('name') }, options)
    case 'PUT /accounts/{account}':
      return await accounts.renameAccount({ account, newName: text('name') }, options)
    case 'GET /accounts/{account}/members':
      return await accounts.listMembers({ ...page, account }, options)
    case 'GET /accounts/{account}/usage':
      return await accounts.getAccountUsage({ account }, options)
    case 'PUT /accounts/{account}/members/{user_id}':
      return await accounts.putMember(
        { account, userId, role: ROLES[text('role')] ?? Role.UNSPECIFIED },
        options,
      )
    case 'DELETE /accounts/{account}/members/{user_id}':
      return await accounts.deleteMember({ account, userId }, options)
    case 'GET /accounts/{account}/tokens':
      return await tokens.listMachineTokens({ account }, options)
    case 'POST /accounts/{account}/tokens': {
      const role = ROLES[text('role')] ?? Role.UNSPECIFIED
      return await tokens.createMachineToken({ account, name: text('name'), role }, options)
    }
    case 'DELETE /accounts/{account}/tokens/{token_id}': {
      const id = params['token_id'] ?? ''
      return await tokens.revokeMachineToken({ account, id }, options)
    }
    case 'DELETE /accounts/{account}':
      return await deployments.deleteAccount({ account, dryRun }, options)
    case 'DELETE /agents/{account}/{name}':
      return await deployments.deleteAgent({ account, name, dryRun }, options)
    case 'DELETE /agents/{account}/{name}/builds/{build_id}': {
      const buildId = params['build_id'] ?? ''
      return await agents.deleteBuild({ account, name, buildId, dryRun }, options)
    }
    default:
      throw new Error(`there is no RPC for ${each.route}`)
  }
}

function filtersOf({
  q: text = '',
  account = '',
  tag = '',
  include = '',
}: NonNullable<Case['query']>) {
  return {
    query: text,
    account,
    tag,
    includeSpec: include.includes('spec'),
    includeReadme: include.includes('readme'),
  }
}

/** The build that a query names. */
function namedIn(query: Readonly<Record<string, string>>) {
  return { buildId: query['build'] ?? '', version: query['version'] ?? '' }
}
