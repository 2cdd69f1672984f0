import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { problemWithJson } from '../../support/cli-json.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import { registerFaultyAgent, type FaultyAgent } from '../../support/faulty-agent.ts'

// The revisions of a deployment: their list, how they differ, and the way back.

const NAME = 'cli-revisions'
/** Commands that run side by side: each takes most of its time to start. */
const AT_ONCE = 4
const TOKEN = 'token-that-no-one-sees-4711'

let agent: FaultyAgent
let slipway: CommandLine
beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  slipway = await CommandLine.open('alice')
  const input = 'SERVICE_TOKEN=any-token'
  const args = ['deploy', NAME, '--yes', '--secrets-from', '-']
  expect(await slipway.run(args, { input })).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await slipway[Symbol.asyncDispose]()
})

test('uses the spec of the folder, and files with overrides and credentials', async () => {
  await writeFile(join(slipway.home, 'astroai.yml'), `spec: astro/v1\nname: ${NAME}\n`)
  await writeFile(join(slipway.home, 'overrides.yml'), 'agent.replicas: 2\n')
  await writeFile(join(slipway.home, '.env'), `SERVICE_TOKEN='${TOKEN}-2'\r\n`)
  const files = ['--overrides', 'overrides.yml', '--env-file', '.env']
  const deployed = await slipway.run(['deploy', '--build', 'current', '--yes', ...files])
  expect(deployed).toMatchObject({ code: 0 })
  expect(deployed.stderr).toMatch(/spec\.replicas: 1 → 2/)
  expect(deployed.stdout).toMatch(/^revision\t2$/m)
  expect(deployed.stdout + deployed.stderr).not.toContain(TOKEN)
})

test('lists the revisions, and compares two', async () => {
  const json = (await slipway.json(['history'])) as { revisions: unknown[] }
  expect(json.revisions).toMatchObject([
    { revision: 2, live: true, created_by_name: expect.stringMatching(/^[A-Z]/) },
    { revision: 1 },
  ])
  expect(await problemWithJson('history', json)).toBeUndefined()
  const { stdout } = await slipway.run(['history', NAME])
  expect(stdout).toMatch(/^2\tlive\tyes\tfirst-\d+\tsettings\t2\S+Z\t\S.*$/m)
  expect(stdout).toMatch(/^1\tsuperseded\twas\tfirst-\d+\tfirst deploy\t2\S+Z\t\S.*$/m)
  const same = await slipway.json(['diff', '1', '2'])
  expect(same).toMatchObject({ same_build: true, from: { revision: 1 }, to: { revision: 2 } })
  expect(same).toMatchObject({
    changes: [],
    setting_changes: [{ path: 'overrides.agent.replicas', new: 2 }],
  })
  expect(await problemWithJson('diff', same)).toBeUndefined()
  expect((await slipway.run(['diff', '1'])).stdout).toContain(
    'settings\n  overrides.agent.replicas: not set → 2\n',
  )
  const missing = await slipway.run(['diff', '1', '9'])
  expect(missing.code).toBe(1)
  expect(missing.stderr).toMatch(/^error: .* has no revision 9\nnext: {2}slipway history, which /)
})

test.each([80, 40])('shows lists on a terminal of %d columns', async (columns) => {
  const context = ['context', 'add', `narrow-${columns}`, fromStack('SLIPWAY_URL')]
  expect(await slipway.run(context)).toMatchObject({ code: 0 })
  const tables = [
    ['agents', '--mine'],
    ['members'],
    ['tokens'],
    ['usage'],
    ['history', NAME],
    ['status', '--all'],
    ['context', 'list'],
    ['account', 'list'],
    ['metrics', NAME],
  ]
  // Their lines can be longer than a narrow terminal, which then wraps them.
  const texts = [
    ['events', NAME],
    ['sessions', NAME],
    ['traces', NAME],
    ['diff', NAME, '1'],
  ]
  const check = async (args: string[]) => {
    using terminal = await slipway.onTerminal([...args, '--quiet'], { columns })
    const code = await terminal.ended
    const widths = terminal.output
      .split('\r\n')
      .map((line) => stripVTControlCharacters(line).length)
    const isWrapped = tables.includes(args) && Math.max(...widths) > columns
    expect({ args, code, text: terminal.text, isWrapped }).toMatchObject({
      args,
      code: 0,
      text: expect.stringMatching(/\S/),
      isWrapped: false,
    })
  }
  const all = [...tables, ...texts]
  for (let start = 0; start < all.length; start += AT_ONCE)
    await Promise.all(all.slice(start, start + AT_ONCE).map(check))
})

test('rolls back, but first shows the revisions and asks', async () => {
  using terminal = await slipway.onTerminal(['rollback', NAME, '1'], { columns: 80 })
  await terminal.shows(/Roll cli-revisions in \S+ back to revision 1 /)
  expect(terminal.text).toMatch(/ 2 +live +yes +first-\S+ +settings/)
  terminal.type('n')
  expect(await terminal.ended).toBe(1)

  const json = (await slipway.json(['rollback', '--yes'])) as Record<string, unknown>
  expect(json).toMatchObject({ status: 'ready', result: { rolled_back_to: 1, revision: 3 } })
  expect(await problemWithJson('rollback', json)).toBeUndefined()
})
