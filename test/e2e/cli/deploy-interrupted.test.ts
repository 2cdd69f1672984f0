import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { request } from '../../support/api.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import { registerFaultyAgent, type FaultyAgent } from '../../support/faulty-agent.ts'
import { holdingProxy } from '../../support/holding-proxy.ts'

// Ctrl-C at every stage of a deploy, and a deploy that does not become ready in time.

const NAME = 'cli-interrupted'
const SECRETS = '{"SERVICE_TOKEN": "a-token", "FAULT": "check"}'
const CTRL_C = '\u0003'

let agent: FaultyAgent
let slipway: CommandLine
beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  slipway = await CommandLine.open('alice')
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await slipway[Symbol.asyncDispose]()
})

const state = async () =>
  await request('GET', `/agents/${agent.account}/${NAME}/deployment`, { as: 'alice' })

test('at the question for a credential, it changes nothing', async () => {
  using terminal = await slipway.onTerminal(['deploy', NAME], { columns: 40 })
  await terminal.shows(/SERVICE_TOKEN/)
  terminal.type(`half a tok${CTRL_C}`)
  expect([await terminal.ended, terminal.text]).toEqual([
    130,
    expect.stringMatching(/^cancelled$/m),
  ])
  expect(terminal.output).not.toContain('half a tok')
  expect((await state()).status).toBe(404)
})

test('at the question after the plan, and with the answer no', async () => {
  for (const [key, code, words] of [
    [CTRL_C, 130, /^cancelled$/m],
    ['n', 1, /^nothing was changed$/m],
  ] as const) {
    using terminal = await slipway.onTerminal(['deploy', NAME], { columns: 40 })
    await terminal.shows(/SERVICE_TOKEN/)
    terminal.type('a-token\r')
    await terminal.shows(/Deploy cli-interrupted/)
    terminal.type(key)
    expect([await terminal.ended, terminal.text]).toEqual([code, expect.stringMatching(words)])
    expect(terminal.text).not.toContain('error:')
  }
  expect((await state()).status).toBe(404)
})

test('while the server applies objects, it waits for the answer', async () => {
  await using proxy = await holdingProxy(new URL(fromStack('SLIPWAY_URL')).host)
  await writeFile(join(slipway.home, 'secrets.json'), SECRETS)
  const env = { SLIPWAY_URL: `http://${proxy.address}` }
  using terminal = await slipway.onTerminal(['deploy', NAME, '--env-file', 'secrets.json'], { env })
  await terminal.shows(/Deploy cli-interrupted/)
  proxy.hold()
  terminal.type('y')
  await terminal.shows(/applying …/)
  terminal.type(CTRL_C)
  await terminal.shows(/waiting for the answer of the server; Ctrl-C again leaves without it/)
  await waitFor(() => Promise.resolve(proxy.heldAnswers === 1), { what: 'the answer' })
  proxy.release()
  expect([await terminal.ended, terminal.text]).toEqual([
    8,
    expect.stringMatching(/applied \d+ objects as planned.*detached.*revision +1/s),
  ])
})

test('while pods start, it detaches: the deploy goes on', async () => {
  const args = ['deploy', NAME, '--yes', '--set', 'agent.replicas=2']
  using terminal = await slipway.onTerminal(args, { columns: 40 })
  await terminal.shows(/agent: progressing/)
  terminal.type(CTRL_C)
  expect(await terminal.ended).toBe(8)
  // Lines that are too long are wrapped.
  expect(terminal.text.replaceAll('\n', '')).toMatch(
    /detached: the rollout goes on.*status +pending.*next: slipway status cli-interrupted --watch/,
  )
  expect((await state()).body).toMatchObject({ revision: 2 })
})

test('it is pending at the timeout, and started when no one waits', async () => {
  const waited = await slipway.run(['deploy', NAME, '--yes', '--timeout', '2s', '--json'])
  expect([waited.code, JSON.parse(waited.stdout)]).toMatchObject([8, { status: 'pending' }])
  const started = await slipway.run(['deploy', NAME, '--yes', '--detach', '--json'])
  expect([started.code, JSON.parse(started.stdout)]).toMatchObject([0, { status: 'started' }])
})
