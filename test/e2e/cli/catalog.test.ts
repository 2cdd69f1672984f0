import { beforeAll, expect, test } from 'vitest'

import { freshName } from '../../contract/cases/case.ts'
import { buildBody } from '../../contract/support/catalog-fixture.ts'
import { request } from '../../support/api.ts'
import { problemWithJson } from '../../support/cli-json.ts'
import { CommandLine } from '../../support/command-line.ts'

// Alice owns a team with one agent; Mallory is a stranger.
const account = freshName('shelf')
const name = 'librarian'
const agent = `${account}/${name}`

const register = (buildId: string) =>
  request('POST', `/agents/${account}/${name}/register`, {
    as: 'alice',
    body: { ...buildBody(name, buildId), readme: '# Librarian\n\nFinds **books**.\n' },
  })

beforeAll(async () => {
  await request('POST', '/accounts', { as: 'alice', body: { name: account } })
  for (const buildId of ['b1', 'b2', 'b3']) expect((await register(buildId)).status).toBe(201)
})

test('publishes, finds, yanks and deletes', async () => {
  await using alice = await CommandLine.open('alice')
  await using mallory = await CommandLine.open('mallory')
  const checked = async (command: string, args: readonly string[], status = 200) => {
    const value = await alice.json([...command.split(' '), ...args])
    expect(await problemWithJson(command, value, status)).toBeUndefined()
    return value as Record<string, unknown>
  }

  // Before a version is published, only members see the agent.
  const hidden = await mallory.run(['agents', 'show', agent])
  expect(hidden).toMatchObject({ code: 1, stdout: '' })
  expect(hidden.stderr).toMatch(/^error: agent not found\n(.*\n)*request id: /)
  const mine = await alice.run(['agents', '--mine', '--account', account])
  expect(mine).toMatchObject({ code: 0, stderr: '' })
  expect(mine.stdout).toMatch(new RegExp(`^AGENT\\t.*\\n${agent}\\t\\t20\\S+Z\\t.*\\n$`))

  const published = ['publish', '1.0.0', agent, '--build', 'b2']
  expect((await alice.run(published)).stdout).toBe(`published ${agent} 1.0.0 (build b2)\n`)
  expect((await alice.run(published)).stdout).toBe(`unchanged: ${agent} 1.0.0 is the build b2\n`)
  expect(await checked('publish', ['1.1.0', agent])).toEqual({
    account,
    name,
    version: '1.1.0',
    build_id: 'b3',
    is_new: true,
  })
  const taken = await alice.run(['publish', '1.0.0', agent, '--build', 'b1', '--json'])
  expect(taken).toMatchObject({ code: 1, stdout: '' })
  expect(JSON.parse(taken.stderr)).toMatchObject({ error: { code: 'version_taken' } })
  expect((await mallory.run(['publish', '2.0.0', agent])).code).toBe(1)

  expect(await checked('yank', ['1.1.0', agent])).toMatchObject({ build_id: 'b3' })
  const shown = await checked('agents show', [agent])
  expect(shown).toMatchObject({
    readme: expect.stringContaining('Librarian'),
    builds: [
      { build_id: 'b3', version: '1.1.0', yanked: true },
      { build_id: 'b2', version: '1.0.0', yanked: false },
      { build_id: 'b1', yanked: false },
    ],
  })
  await checked('unyank', ['1.1.0', agent])

  const found = await checked('agents list', [account])
  expect(found).toMatchObject({ agents: [{ account, name, version: '1.1.0' }], has_more: false })
  expect(await checked('agents list', ['--account', account, 'no such word'])).toEqual({
    agents: [],
    has_more: false,
  })

  // Deleting shows what it would delete, and needs a yes.
  expect(await checked('agents delete-build', ['b1', agent, '--dry-run'])).toMatchObject({
    dry_run: true,
  })
  const unasked = await alice.run(['agents', 'delete-build', 'b1', agent])
  expect(unasked).toMatchObject({ code: 2, stdout: '' })
  expect(unasked.stderr).toMatch(/this would delete the build b1 .*\n.*without a terminal\n.*--yes/)
  await checked('agents delete-build', ['b1', agent, '--yes'])
  const kept = await alice.run(['agents', 'delete', agent, '--yes'])
  expect(kept.code).toBe(1)
  expect(kept.stderr).toContain('published')
})

test('shows an agent on terminals of 100 and 40 columns', async () => {
  await using alice = await CommandLine.open('alice')
  for (const columns of [100, 40]) {
    using terminal = await alice.onTerminal(['agents', 'show', agent], { columns })
    expect(await terminal.ended).toBe(0)
    expect(terminal.text).toContain('Finds books.')
    expect(terminal.text).toMatch(/VERSION +BUILD +STATE/)
    expect(terminal.text).toMatch(/1\.1\.0 +b3 +published/)
    using list = await alice.onTerminal(['agents', account], { columns })
    expect(await list.ended).toBe(0)
    expect(list.text.split('\n')).toHaveLength(2)
  }
})

test('asks on a terminal before it deletes', async () => {
  await using alice = await CommandLine.open('alice')
  const other = 'draft'
  const body = buildBody(other, 'b1')
  await request('POST', `/agents/${account}/${other}/register`, { as: 'alice', body })
  const call = ['agents', 'delete', `${account}/${other}`]
  using refused = await alice.onTerminal(call)
  await refused.shows(/Delete .*draft\?/)
  expect(refused.text).toMatch(/would delete .*draft with 1 build \(b1\)/)
  refused.type('n')
  expect(await refused.ended).toBe(1)
  expect(refused.text).toContain('nothing was changed')

  using accepted = await alice.onTerminal(call)
  await accepted.shows(/Delete .*draft\?/)
  accepted.type('y')
  expect(await accepted.ended).toBe(0)
  expect(accepted.text).toContain(`deleted ${account}/${other} and 1 build (b1)`)
})
