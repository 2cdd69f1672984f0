import { expect, test } from 'vitest'

import { freshName } from '../../contract/cases/case.ts'
import { request } from '../../support/api.ts'
import { problemWithJson } from '../../support/cli-json.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'

async function idOf(user: 'alice' | 'bob'): Promise<string> {
  return (await request('GET', '/me', { as: user })).body.user.id
}

test('creates an account, manages its members, renames and deletes it', async () => {
  await using alice = await CommandLine.open('alice')
  await using bob = await CommandLine.open('bob')
  const account = freshName('team')
  const renamed = `${account}-labs`
  const [aliceId, bobId] = await Promise.all([idOf('alice'), idOf('bob')])
  const checked = async (command: string, args: readonly string[], status = 200) => {
    const value = await alice.json([...command.split(' '), ...args])
    expect(await problemWithJson(command, value, status)).toBeUndefined()
    return value
  }
  const inTeam = ['--account', account]

  const created = await checked('account create', [account], 201)
  expect(created).toMatchObject({ name: account, role: 'owner' })
  const added = await checked('members add', [bobId, '--role', 'admin', ...inTeam])
  expect(added).toMatchObject({ user_id: bobId, role: 'admin', confirmed: false })

  // Adding an owner again must not make them a member.
  const stranger = await alice.run(['members', 'add', 'carol', ...inTeam])
  expect([stranger.code, stranger.stderr]).toEqual([
    1,
    expect.stringMatching(/next: .*whoami.*slipway members add ID/),
  ])
  const again = await alice.run(['members', 'add', aliceId, ...inTeam])
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toContain(`next:  slipway members role ${aliceId} member`)

  const unconfirmed = await alice.run(['members', 'list', ...inTeam])
  expect(unconfirmed.stdout.split('\n')).toContain(`${bobId}\tadmin\t\t\tno`)
  expect((await bob.run(['members', 'confirm', ...inTeam])).stdout).toBe(
    'confirmed: you are admin\n',
  )
  expect(await checked('members list', inTeam)).toMatchObject({ count: 2 })
  expect(await checked('members role', ['bob@example.test', 'member', ...inTeam])).toMatchObject({
    role: 'member',
    confirmed: true,
  })
  expect((await alice.run(['members', 'role', bobId, 'boss', ...inTeam])).code).toBe(2)
  expect((await bob.run(['members', 'remove', 'me', '--yes', ...inTeam])).code).toBe(0)
  expect(await checked('members list', inTeam)).toMatchObject({ count: 1 })
  const unknown = await alice.run(['members', 'remove', bobId, '--yes', ...inTeam])
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
  expect(unknown.stderr).toContain('slipway members list')

  expect(await checked('account rename', [account, renamed])).toMatchObject({ name: renamed })
  const preview = await alice.run(['account', 'delete', renamed, '--dry-run'])
  expect(preview.stdout).toBe(
    `this would delete ${renamed} with 0 agents, 0 builds and 1 membership\n`,
  )
  expect(await checked('account delete', [renamed, '--yes'])).toMatchObject({ dry_run: false })
})

test('a context follows its account when it is renamed, and forgets a deleted one', async () => {
  await using alice = await CommandLine.open('alice')
  const account = freshName('moving')
  const inContext = { env: { SLIPWAY_URL: undefined } }
  await alice.run(['context', 'add', 'here', fromStack('SLIPWAY_URL')], inContext)
  await alice.run(['account', 'create', account], inContext)
  const current = async () => {
    const { contexts } = (await alice.json(['context', 'list'], inContext)) as {
      contexts: { account?: string }[]
    }
    return contexts[0]?.account
  }
  await alice.run(['account', 'switch', account], inContext)
  expect(await current()).toBe(account)
  await alice.run(['account', 'rename', account, `${account}-2`], inContext)
  expect(await current()).toBe(`${account}-2`)
  await alice.run(['account', 'delete', `${account}-2`, '--yes'], inContext)
  expect(await current()).toBeUndefined()
})

test('shows the limits of an account with bars', async () => {
  await using alice = await CommandLine.open('alice')
  const usage = await alice.json(['usage'])
  expect(await problemWithJson('usage', usage)).toBeUndefined()
  const { stdout } = await alice.run(['usage'])
  const [titles, ...rows] = stdout.trimEnd().split('\n')
  expect(titles).toBe('LIMIT\tUSED\tOF\tSHARE')
  for (const line of rows) expect(line).toMatch(/^[a-z_]+\t\d+\t\d+\t\d+$/)
  using terminal = await alice.onTerminal(['usage'], { columns: 80 })
  expect(await terminal.ended).toBe(0)
  expect(terminal.text).toMatch(/LIMIT +USED +OF/)
  expect(terminal.text).toMatch(/[█░]{20} +\d+ %/)
})
