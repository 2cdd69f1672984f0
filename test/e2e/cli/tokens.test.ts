import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { freshName } from '../../contract/cases/case.ts'
import { request } from '../../support/api.ts'
import { problemWithJson } from '../../support/cli-json.ts'
import { CommandLine } from '../../support/command-line.ts'

const account = freshName('machines')
const inTeam = ['--account', account]
const SECRET = /^slipway_[0-9A-Za-z]{49}\n$/

beforeAll(async () => {
  await request('POST', '/accounts', { as: 'alice', body: { name: account } })
  const { body } = await request('GET', '/me', { as: 'bob' })
  const member = `/accounts/${account}/members/${body.user.id}`
  await request('PUT', member, { as: 'alice', body: { role: 'member' } })
})
afterAll(async () => {
  await request('DELETE', `/accounts/${account}`, { as: 'alice' })
})

test('creates a token for a pipe, which works until it is revoked', async () => {
  await using alice = await CommandLine.open('alice')
  const create = ['tokens', 'create', 'ci/deploy', '--role', 'admin', '--expires', '1d']
  const created = await alice.run([...create, '--verbose', ...inTeam])
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(SECRET) })
  const secret = created.stdout.trim()
  expect(created.stderr).not.toContain(secret)

  const asMachine = { env: { SLIPWAY_TOKEN: secret } }
  const profile = await alice.json(['whoami'], asMachine)
  expect(await problemWithJson('whoami', profile)).toBeUndefined()
  expect(profile).toMatchObject({
    accounts: [{ name: account, role: 'admin' }],
    machine_token: { name: 'ci/deploy', role: 'admin' },
  })
  const shown = await alice.run(['whoami'], asMachine)
  expect(shown.stdout).toMatch(/^machine token\tci\/deploy\ncreated by\t.+\nexpires\t2.+Z\n/)
  const status = await alice.json(['auth', 'status'], asMachine)
  expect(await problemWithJson('auth status', status)).toBeUndefined()
  const access = { name: 'ci/deploy', role: 'admin', account }
  expect(status).toMatchObject({ token_from: 'environment', machine_token: access })
  const refused = await alice.run(['tokens', 'create', 'another'], asMachine)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('next:  slipway login, without SLIPWAY_TOKEN')

  const list = await alice.json(['tokens', 'list', ...inTeam])
  expect(await problemWithJson('tokens list', list)).toBeUndefined()
  expect(list).toMatchObject({ count: 1, tokens: [{ name: 'ci/deploy', role: 'admin' }] })
  const { stdout } = await alice.run(['tokens', ...inTeam])
  expect(stdout).toMatch(/^NAME\t.*\nci\/deploy\tadmin\t[^\t]+\t2[^\t]+Z\t2[^\t]+Z\t2[^\t]+Z\n$/)
  const again = await alice.run([...create, ...inTeam])
  expect(again.stderr).toContain('slipway tokens revoke NAME, or another name')

  const unasked = await alice.run(['tokens', 'revoke', 'ci/deploy', ...inTeam])
  expect(unasked).toMatchObject({ code: 2, stdout: '' })
  const revoked = await alice.json(['tokens', 'revoke', 'ci/deploy', '--yes', ...inTeam])
  expect(await problemWithJson('tokens revoke', revoked)).toBeUndefined()
  const after = await waitFor(
    async () => {
      const outcome = await alice.run(['auth', 'status'], asMachine)
      return outcome.code === 0 ? undefined : outcome
    },
    { what: 'the rejection of the token' },
  )
  expect(after.code).toBe(4)
  expect((await alice.run(['whoami'], asMachine)).code).toBe(4)
  const gone = await alice.run(['tokens', 'revoke', 'ci/deploy', '--yes', ...inTeam])
  expect(gone).toMatchObject({ code: 1, stdout: '' })
  expect(gone.stderr).toContain('slipway tokens list')
})

test('shows the token once on a terminal, and asks before it revokes one', async () => {
  await using alice = await CommandLine.open('alice')
  using terminal = await alice.onTerminal(['tokens', 'create', 'shown', ...inTeam])
  expect(await terminal.ended).toBe(0)
  expect(terminal.text).toMatch(/role +member\nexpires +in (89|90) d\n\nslipway_\w{49}\n/)
  expect(terminal.text).toContain('store it now')
  using list = await alice.onTerminal(['tokens', ...inTeam], { columns: 80 })
  expect(await list.ended).toBe(0)
  expect(list.text).toMatch(/^NAME +ROLE +CREATED BY +CREATED +EXPIRES +LAST USED\nshown +member/)
  expect(list.text).toMatch(/in (89|90) d +never$/)
  using revoking = await alice.onTerminal(['tokens', 'revoke', 'shown', ...inTeam])
  await revoking.shows(/Revoke shown \(member of /)
  revoking.type('y')
  expect(await revoking.ended).toBe(0)
  expect(await alice.json(['tokens', 'list', ...inTeam])).toMatchObject({ count: 0 })
})

test('JSON is the body of the API, and a token can be revoked by its id', async () => {
  await using alice = await CommandLine.open('alice')
  const created = await alice.json(['tokens', 'create', 'by id', ...inTeam])
  expect(await problemWithJson('tokens create', created, 201)).toBeUndefined()
  const { id } = created as { id: string }
  expect((await alice.run(['tokens', 'revoke', id, '--yes', ...inTeam])).code).toBe(0)
  expect(await alice.json(['tokens', 'list', ...inTeam])).toMatchObject({ count: 0 })
})

test('refuses too long a time, and members', async () => {
  await using alice = await CommandLine.open('alice')
  await using bob = await CommandLine.open('bob')
  const tooLong = await alice.run(['tokens', 'create', 'x', '--expires', '366d', ...inTeam])
  expect(tooLong).toMatchObject({ code: 2, stdout: '' })
  expect(tooLong.stderr).toContain('"366d" is not a number of whole days from 1d to 365d')
  const byMember = await bob.run(['tokens', 'create', 'x', ...inTeam])
  expect(byMember).toMatchObject({ code: 1, stdout: '' })
  expect(byMember.stderr).toContain('ask an owner or admin of the account')
  expect(await alice.json(['tokens', 'list', ...inTeam])).toMatchObject({ count: 0 })
})
