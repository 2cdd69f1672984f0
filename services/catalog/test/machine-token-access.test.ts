import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { outcomeOf, specOf, startTestCatalog, type TestCatalog } from './support/catalog.ts'
import { makeTeam, type TeamWithTokens } from './support/machine-tokens.ts'

let catalog: TestCatalog
let account: TeamWithTokens['account']
let owner: TeamWithTokens['owner']
let admin: TeamWithTokens['admin']
let create: TeamWithTokens['create']
let outcome: TeamWithTokens['outcome']
let round = 0

beforeAll(async () => {
  catalog = await startTestCatalog()
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
})
beforeEach(async () => {
  round += 1
  ;({ account, owner, admin, create, outcome } = await makeTeam(catalog, String(round)))
})

describe('acts in its account', () => {
  test.each([
    [Role.MEMBER, 'permission_denied'],
    [Role.ADMIN, 'ok'],
  ])('with its role %i', async (role, ofAdmins) => {
    const { agents, accounts, tokens } = catalog
    const { id, options } = await create({ role })
    const build = { account, name: 'bot', buildId: 'b', registry: 'r', specContent: specOf('bot') }
    await agents.registerBuild(build, owner.options)
    const name = `renamed-${round}`
    const agent = { account, name: 'bot' }
    const found = {
      'its usage': await outcome(options),
      'its members': await outcomeOf(accounts.listMembers({ account }, options)),
      'an unpublished agent': await outcomeOf(agents.getAgent(agent, options)),
      'its configuration': await outcomeOf(agents.getAgentConfig(agent, options)),
      'a registration': await outcomeOf(agents.registerBuild({ ...build, buildId: 'b2' }, options)),
      'a publication': await outcomeOf(
        agents.publishBuild({ ...agent, buildId: 'b', version: '1.0.0' }, options),
      ),
      'a yank': await outcomeOf(agents.yankVersion({ ...agent, version: '9.0.0' }, options)),
      'a deletion': await outcomeOf(agents.deleteBuild({ ...agent, buildId: 'x' }, options)),
      'a new account': await outcomeOf(accounts.createAccount({ name }, options)),
      'a rename': await outcomeOf(accounts.renameAccount({ account, newName: name }, options)),
      'a new member': await outcomeOf(
        accounts.putMember({ account, userId: owner.userId, role: Role.ADMIN }, options),
      ),
      'its creator, who leaves': await outcomeOf(
        accounts.deleteMember({ account, userId: admin.userId }, options),
      ),
      'a new token': await outcomeOf(
        tokens.createMachineToken({ account, name: 'other' }, options),
      ),
      'its tokens': await outcomeOf(tokens.listMachineTokens({ account }, options)),
      'its own end': await outcomeOf(tokens.revokeMachineToken({ account, id }, options)),
      'a check of access': await outcomeOf(accounts.checkAccess({ account }, options)),
    }
    const orDenied = (reason: string) => (ofAdmins === 'ok' ? reason : ofAdmins)
    expect(found).toEqual({
      'its usage': 'ok',
      'its members': 'ok',
      'an unpublished agent': 'ok',
      'its configuration': 'ok',
      'a registration': ofAdmins,
      'a publication': ofAdmins,
      'a yank': orDenied('version_not_found'),
      'a deletion': orDenied('build_not_found'),
      'a new account': 'person_required',
      'a rename': 'person_required',
      'a new member': 'person_required',
      'its creator, who leaves': 'person_required',
      'a new token': 'person_required',
      'its tokens': 'person_required',
      'its own end': 'person_required',
      'a check of access': 'wrong_caller',
    })
  })

  test('but in no other, not even its creator’s own', async () => {
    const { agents } = catalog
    const { options } = await create({ role: Role.ADMIN })
    const other = admin.account
    const build = { account: other, name: 'bot', buildId: 'b', registry: 'r' }
    const registration = { ...build, specContent: specOf('bot') }
    await agents.registerBuild(registration, admin.options)
    expect(await outcomeOf(catalog.accounts.getAccountUsage({ account: other }, options))).toBe(
      'permission_denied',
    )
    expect(await outcomeOf(agents.registerBuild(registration, options))).toBe('permission_denied')
    const agent = { account: other, name: 'bot' }
    expect(await outcomeOf(agents.getAgent(agent, options))).toBe('agent_not_found')
    expect(await outcomeOf(agents.getAgentConfig(agent, options))).toBe('agent_not_found')
    const { agents: listed } = await agents.listAccountAgents({ account: other }, options)
    expect(listed).toEqual([])
  })

  test('with at most the role that its creator has by now', async () => {
    const { options } = await create({ role: Role.ADMIN })
    const change = { account, userId: admin.userId, role: Role.MEMBER }
    await catalog.accounts.putMember(change, owner.options)
    const name = { account, name: 'bot', buildId: 'b', registry: 'r', specContent: specOf('bot') }
    expect(await outcomeOf(catalog.agents.registerBuild(name, options))).toBe('permission_denied')
    expect(await outcome(options)).toBe('ok')
    const { role } = await catalog.tokens.verifyMachineToken({}, options)
    expect(role).toBe(Role.MEMBER)
  })
})
