import type { CallOptions } from '@connectrpc/connect'
import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import {
  AgentService,
  type GetAgentResponse,
} from '@slipway/proto/slipway/catalog/v1/agent_service'
import { afterAll, beforeAll, expect, test } from 'vitest'

import {
  CALLERS,
  DENIED,
  FOR_SERVICES,
  forAnyone,
  forUsers,
  type Caller,
} from './support/access-outcomes.ts'
import { deletionCalls, type MatrixCalls } from './support/deletion-calls.ts'
import { outcomeOf, specOf, startTestCatalog, type TestCatalog } from './support/catalog.ts'

let catalog: TestCatalog
const options = new Map<Caller, CallOptions>()
let ids: Record<'owner' | 'member' | 'account', string>

beforeAll(async () => {
  catalog = await startTestCatalog()
  const { accounts, agents, issuer } = catalog
  const owner = await catalog.signIn('the-owner')
  for (const caller of ['admin', 'member', 'stranger'] as const) {
    const { userId, options: own } = await catalog.signIn(`the-${caller}`)
    options.set(caller, own)
    if (caller !== 'stranger') {
      const role = caller === 'admin' ? Role.ADMIN : Role.MEMBER
      await accounts.putMember({ account: owner.account, userId, role }, owner.options)
    }
  }
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  options.set('owner', owner.options)
  options.set('anonymous', {})
  options.set('expired', bearer(await issuer.userToken('the-owner', { claims: { exp: 1 } })))
  options.set('forged', bearer(await issuer.userToken('the-owner', { foreignKey: true })))
  options.set('service', await catalog.asService('deployer'))
  options.set('other service', await catalog.asService('gateway'))
  const { members } = await accounts.listMembers({ account: owner.account }, owner.options)
  ids = {
    member: members.find(({ role }) => role === Role.MEMBER)?.user?.id ?? '',
    owner: owner.userId,
    account: owner.accountId,
  }
  for (const [name, buildId] of [
    ['public', 'b1'],
    ['public', 'b2'],
    ['private', 'b1'],
  ] as const) {
    const build = {
      account: owner.account,
      name,
      buildId,
      registry: 'r.example',
      specContent: specOf(name),
    }
    await agents.registerBuild(build, owner.options)
  }
  await agents.publishBuild(
    { account: owner.account, name: 'public', buildId: 'b1', version: '1.0.0' },
    owner.options,
  )
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
})

/** The builds that a caller sees. */
async function buildsSeen(call: Promise<GetAgentResponse>): Promise<string> {
  const { agent } = await call
  return agent?.versions.map(({ buildId }) => buildId).join(' ') ?? ''
}

const account = 'the-owner'
const spec = specOf('private')

/** Calls of each RPC that change nothing for the next caller. */
const calls: MatrixCalls = {
  'AccountService.getProfile': [
    [(as) => catalog.accounts.getProfile({}, as), forUsers('ok', 'ok')],
  ],
  'AccountService.createAccount': [
    [
      (as) => catalog.accounts.createAccount({ name: account }, as),
      {
        ...forUsers('account_name_taken', 'account_name_taken', 'account_name_taken'),
        owner: 'account_name_taken',
      },
    ],
  ],
  'AccountService.renameAccount': [
    [
      (as) => catalog.accounts.renameAccount({ account, newName: account }, as),
      forUsers(DENIED, DENIED),
    ],
  ],
  'AccountService.listMembers': [
    [(as) => catalog.accounts.listMembers({ account }, as), forUsers('ok', DENIED)],
  ],
  'AccountService.getAccountUsage': [
    [(as) => catalog.accounts.getAccountUsage({ account }, as), forUsers('ok', DENIED)],
  ],
  'AccountService.putMember': [
    [
      // For the member this confirms their own membership.
      (as) => catalog.accounts.putMember({ account, userId: ids.member, role: Role.MEMBER }, as),
      forUsers('ok', DENIED),
    ],
    [
      (as) => catalog.accounts.putMember({ account, userId: ids.owner, role: Role.ADMIN }, as),
      {
        ...forUsers(DENIED, DENIED, DENIED),
        owner: 'last_owner',
      },
    ],
  ],
  'AccountService.deleteMember': [
    [
      (as) => catalog.accounts.deleteMember({ account, userId: ids.account }, as),
      {
        ...forUsers(DENIED, DENIED, 'user_not_found'),
        owner: 'user_not_found',
      },
    ],
  ],
  ...deletionCalls(() => catalog, account),
  'AccountService.checkAccess': [
    [
      (as) => catalog.accounts.checkAccess({ account, realm: 'test', subject: 'x' }, as),
      FOR_SERVICES,
    ],
  ],
  'AgentService.listAgents': [[(as) => catalog.agents.listAgents({}, as), forAnyone('ok', 'ok')]],
  'AgentService.listAccountAgents': [
    [(as) => catalog.agents.listAccountAgents({ account }, as), forAnyone('ok', 'ok')],
  ],
  'AgentService.getAgent': [
    [
      (as) => buildsSeen(catalog.agents.getAgent({ account, name: 'public' }, as)),
      forAnyone('b2 b1', 'b1'),
    ],
    [
      (as) => catalog.agents.getAgent({ account, name: 'private' }, as),
      forAnyone('ok', 'agent_not_found'),
    ],
    [
      (as) => catalog.agents.getAgent({ account, name: 'none' }, as),
      forAnyone('agent_not_found', 'agent_not_found'),
    ],
  ],
  'AgentService.registerBuild': [
    [
      (as) =>
        catalog.agents.registerBuild(
          { account, name: 'private', buildId: 'b1', registry: 'r.example', specContent: spec },
          as,
        ),
      forUsers(DENIED, DENIED),
    ],
    [
      (as) =>
        catalog.agents.registerBuild(
          {
            account,
            name: 'private',
            buildId: 'b1',
            registry: 'r.example',
            specContent: '- no spec',
          },
          as,
        ),
      { ...forUsers(DENIED, DENIED, 'invalid_spec'), owner: 'invalid_spec' },
    ],
  ],
  'AgentService.publishBuild': [
    [
      (as) =>
        catalog.agents.publishBuild(
          { account, name: 'public', buildId: 'b1', version: '1.0.0' },
          as,
        ),
      forUsers(DENIED, DENIED),
    ],
  ],
  'AgentService.yankVersion': [
    [
      (as) => catalog.agents.yankVersion({ account, name: 'public', version: '9.0.0' }, as),
      {
        ...forUsers(DENIED, DENIED, 'version_not_found'),
        owner: 'version_not_found',
      },
    ],
  ],
  'AgentService.unyankVersion': [
    [
      (as) => catalog.agents.unyankVersion({ account, name: 'public', version: '1.0.0' }, as),
      forUsers(DENIED, DENIED),
    ],
  ],
  'AgentService.getAgentConfig': [
    [(as) => catalog.agents.getAgentConfig({ account, name: 'public' }, as), forUsers('ok', 'ok')],
    [
      (as) => catalog.agents.getAgentConfig({ account, name: 'private' }, as),
      forUsers('ok', 'agent_not_found'),
    ],
  ],
  'AgentService.getDeploymentTemplate': [
    [
      (as) => catalog.agents.getDeploymentTemplate({ account, name: 'public', buildId: 'b2' }, as),
      forUsers('ok', 'build_not_found'),
    ],
    [
      (as) => catalog.agents.getDeploymentTemplate({ account, name: 'private' }, as),
      forUsers('ok', 'agent_not_found'),
    ],
  ],
  'AgentService.resolveBuild': [
    [
      (as) => catalog.agents.resolveBuild({ accountId: ids.account, name: 'public' }, as),
      FOR_SERVICES,
    ],
  ],
}

test('the matrix has every RPC', () => {
  const methods = [AccountService, AgentService].flatMap(({ name, methods: all }) =>
    all.map(({ localName }) => `${name}.${localName}`),
  )
  expect(Object.keys(calls).toSorted()).toEqual(methods.toSorted())
})

const rows = Object.entries(calls).flatMap(([name, variants]) =>
  variants.flatMap(([call, outcomes], variant) =>
    CALLERS.map((caller) => [name, variant, caller, outcomes[caller], call] as const),
  ),
)

test.each(rows)('%s (%i) by %s: %s', async (_name, _variant, caller, expected, call) => {
  let answer: unknown
  const outcome = await outcomeOf(call(options.get(caller)).then((given) => (answer = given)))
  const seen = typeof answer === 'string' ? answer : 'ok'
  expect(outcome === 'ok' ? seen : outcome).toBe(expected)
})
