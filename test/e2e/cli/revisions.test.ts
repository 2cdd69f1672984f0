import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { problemWithJson } from '../../support/cli-json.ts'
import { CommandLine } from '../../support/command-line.ts'
import { registerFaultyAgent, type FaultyAgent } from '../../support/faulty-agent.ts'

// The revisions of a deployment: their list, how they differ, and the way back.

const NAME = 'cli-revisions'
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
  expect(json.revisions).toMatchObject([{ revision: 2, live: true }, { revision: 1 }])
  expect(await problemWithJson('history', json)).toBeUndefined()
  const { stdout } = await slipway.run(['history', NAME])
  expect(stdout).toMatch(/^2\tlive\tyes\tfirst-\d+\tsettings\t2\S+Z\t\S.*$/m)
  expect(stdout).toMatch(/^1\tsuperseded\twas\tfirst-\d+\tfirst deploy\t2\S+Z\t\S.*$/m)
  const same = await slipway.json(['diff', '1', '2'])
  expect(same).toMatchObject({ same_build: true, from: { revision: 1 }, to: { revision: 2 } })
  expect(await problemWithJson('diff', same)).toBeUndefined()
  expect(await slipway.run(['diff', '1', '9'])).toMatchObject({
    code: 1,
    stderr: 'error: there is no revision 9\nnext:  slipway history, which lists them\n',
  })
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
