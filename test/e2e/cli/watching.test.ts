import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { lineProxy, waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { request } from '../../support/api.ts'
import { problemWithJson } from '../../support/cli-json.ts'
import { callService } from '../../support/cluster.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import { deployInspectedAgent, type InspectedAgent } from '../../support/inspected-agent.ts'

const NAME = 'watched-agent'
const CTRL_C = '\u0003'
let agent: InspectedAgent
let slipway: CommandLine
beforeAll(async () => {
  agent = await deployInspectedAgent(NAME)
  slipway = await CommandLine.open('alice')
})
afterAll(async () => {
  await slipway?.[Symbol.asyncDispose]()
  await agent?.[Symbol.asyncDispose]()
})

const linesOf = (text: string) => text.trimEnd().split('\n')

/** Lets the agent log a line with this word. */
async function log(word: string): Promise<void> {
  const body = { message: 'How do I share a folder?' }
  await callService(agent.namespace, `${NAME}-agent`, 8080, `/chat?word=${word}`, body)
}

test('status lists the deployments, and shows one', async () => {
  const all = await slipway.json(['status'])
  expect(await problemWithJson('status', all)).toBeUndefined()
  expect(all).toMatchObject({
    deployments: expect.arrayContaining([expect.objectContaining({ name: NAME })]),
  })
  const one = await slipway.json(['status', NAME])
  expect(await problemWithJson('status', one)).toBeUndefined()
  expect(one).toMatchObject({ name: NAME, state: 'ready', revision: 1 })

  const piped = await slipway.run(['status', NAME])
  const pod = await agent.podName()
  expect(linesOf(piped.stdout).map((line) => line.split('\t').slice(0, 3))).toEqual(
    expect.arrayContaining([
      ['deployment', NAME, 'ready'],
      ['component', 'agent', 'ready'],
      ['pod', pod, 'ready'],
    ]),
  )
  for (const columns of [100, 80, 40]) {
    using terminal = await slipway.onTerminal(['status', NAME], { columns })
    expect(await terminal.ended).toBe(0)
    expect(terminal.text).toMatch(/^watched-agent is ready: /)
    expect(terminal.text).toMatch(/^deployed +\d+ \w+ ago by \w/m)
    expect(Math.max(...linesOf(terminal.text).map((line) => line.length))).toBeLessThanOrEqual(
      columns,
    )
  }
})

test('status --exit-code says with its code whether the agent is ready', async () => {
  expect(await slipway.run(['status', NAME, '--exit-code'])).toMatchObject({ code: 0 })
  expect(await slipway.run(['status', NAME, '--watch', '--exit-code'])).toMatchObject({ code: 0 })
})

test('status of an agent that is not deployed', async () => {
  const { code, stdout, stderr } = await slipway.run(['status', 'no-such-agent'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^error: agent no-such-agent is not deployed\nnext: +slipway deploy/)
})

test('status takes the agent of the folder, and lists all with --all', async () => {
  const spec = join(slipway.home, 'astroai.yml')
  try {
    await writeFile(spec, `name: ${NAME}\n`)
    expect(await slipway.json(['status'])).toMatchObject({ name: NAME })
    expect(await slipway.json(['status', '--all'])).toHaveProperty('deployments')
    expect(await slipway.run(['status', NAME, '--all'])).toMatchObject({ code: 2 })
    await writeFile(spec, 'name: not-deployed\n')
    const { stdout, stderr } = await slipway.run(['status'])
    expect(stdout).toContain(NAME)
    expect(stderr).toBe('not-deployed, the agent of this folder, is not deployed\n')
  } finally {
    await rm(spec, { force: true })
  }
})

test('traces and sessions of an agent that does not exist', async () => {
  const missing = await slipway.run(['traces', 'nope'])
  expect(missing).toMatchObject({ code: 1, stdout: '' })
  expect(missing.stderr).toMatch(/^error: agent not found\nnext: +check the name/)
  const mistyped = await slipway.run(['traces', 'shwo'])
  expect(mistyped.stderr).toMatch(/\nnext: +did you mean slipway traces show\?/)
  expect(await slipway.run(['sessions', 'nope'])).toMatchObject({ code: 1 })
})

test('status --watch changes in place, and ends with Ctrl-C', async () => {
  using terminal = await slipway.onTerminal(['status', NAME, '--watch'])
  await terminal.shows(/is ready/)
  const pod = await agent.podName()
  const path = `/deployments/${agent.namespace}/pods/${pod}/restart?account=${agent.account}`
  expect((await request('POST', path, { as: 'alice' })).status).toBe(200)
  await waitFor(async () => (await agent.podName()) !== pod, { what: 'the next pod' })
  const next = await agent.podName()
  await terminal.shows(new RegExp(next))
  await terminal.shows(/is ready/)
  expect(linesOf(terminal.text).filter((line) => line.startsWith('COMPONENT'))).toHaveLength(1)
  terminal.type(CTRL_C)
  expect(await terminal.ended).toBe(130)
})

test('logs of all pods, with a filter, times and a prefix', async () => {
  await log('first')
  await waitFor(async () => (await slipway.run(['logs', NAME])).stdout.includes('word=first'), {
    what: 'the line in the log',
  })
  const pod = await agent.podName()
  const { stdout } = await slipway.run(['logs', NAME, '--no-events'])
  for (const line of linesOf(stdout))
    expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z\t[\w.-]+\[\w+\]\t/)
  expect(stdout).toContain(`\t${pod}[agent]\t`)

  const some = await slipway.run(['logs', NAME, '--no-events', '--grep', 'AGENT_started', '-i'])
  expect(some.stdout).toContain('agent_started')
  expect(some.stderr).toMatch(/^\d+ of \d+ lines match$/m)
  const json = await slipway.run(['logs', NAME, '--json'])
  for (const line of linesOf(json.stdout))
    expect(await problemWithJson('logs', JSON.parse(line))).toBeUndefined()
  expect(await slipway.run(['logs', NAME, '--previous', '-f'])).toMatchObject({ code: 2 })
  expect((await slipway.run(['logs', NAME, '--previous'])).stderr).toMatch(/has restarted/)
})

test('a followed log continues after a cut, without loss or repetition', async () => {
  await using proxy = await lineProxy(fromStack('SLIPWAY_URL'))
  const env = { SLIPWAY_URL: proxy.url }
  using terminal = await slipway.onTerminal(['logs', NAME, '-f', '--no-events'], {
    env,
    columns: 300,
  })
  const words = Array.from({ length: 12 }, (_, index) => `word-${index}-end`)
  await terminal.shows(/agent_started/)
  for (const [index, word] of words.entries()) {
    if (index % 3 === 1) proxy.cut()
    await log(word)
  }
  await terminal.shows(/word-11-end/)
  expect(terminal.text.match(/word-\d+-end/g)).toEqual(words)
  expect(proxy.connections).toBeGreaterThan(1)
  terminal.type(CTRL_C)
  expect(await terminal.ended).toBe(130)
})

test('the last lines are those of all pods, and a followed log goes on after them', async () => {
  const two = ['deploy', NAME, '--build', 'current', '--set', 'agent.replicas=2', '--yes']
  expect(await slipway.run(two)).toMatchObject({ code: 0 })
  const all = await waitFor(
    async () => {
      const lines = linesOf((await slipway.run(['logs', NAME, '--no-events'])).stdout)
      return new Set(lines.map((line) => line.split('\t')[1])).size === 2 ? lines : undefined
    },
    { what: 'the end of the pod of the revision before' },
  )
  const some = await slipway.run(['logs', NAME, '--no-events', '--tail', '3'])
  expect(linesOf(some.stdout)).toEqual(all.slice(-3))
  using terminal = await slipway.onTerminal(['logs', NAME, '-f', '--no-events', '--tail', '1'], {
    columns: 300,
  })
  await terminal.shows(/^\d\d:\d\d:\d\d watched-agent-agent-\S+\[agent\] /m)
  await log('after-the-last')
  await terminal.shows(/word=after-the-last/)
  expect(linesOf(terminal.text)).toHaveLength(2)
  terminal.type(CTRL_C)
  expect(await terminal.ended).toBe(130)
})

test('events from the first one, and new ones until the agent is undeployed', async () => {
  const { stdout, code } = await slipway.run(['events', NAME, '--json'])
  expect(code).toBe(0)
  const events = linesOf(stdout).map((line) => JSON.parse(line))
  for (const event of events) expect(await problemWithJson('events', event)).toBeUndefined()
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['requested', 'applied', 'state_changed']),
  )
  const piped = await slipway.run(['events', NAME])
  expect(linesOf(piped.stdout).map((line) => line.split('\t')[2])).toEqual(
    events.map(({ type }) => type),
  )
  const late = await slipway.run(['events', NAME, '--since', '0s'])
  expect([late.stdout, late.stderr]).toEqual(['', 'no events\n'])

  using followed = await slipway.onTerminal(['events', NAME, '-f'])
  using log = await slipway.onTerminal(['logs', NAME, '-f'])
  using state = await slipway.onTerminal(['status', NAME, '--watch'])
  await followed.shows(/is now ready/)
  await log.shows(/agent_started/)
  await state.shows(/is ready/)
  await agent[Symbol.asyncDispose]()
  expect(await followed.ended).toBe(0)
  expect(followed.text).toMatch(/undeployed$/)
  expect(await log.ended).toBe(0)
  expect(await state.ended).toBe(0)
  expect(state.text).toMatch(/^watched-agent is undeployed/)
})
