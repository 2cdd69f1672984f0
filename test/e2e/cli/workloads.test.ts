import { afterAll, beforeAll, expect, test } from 'vitest'

import { problemWithJson } from '../../support/cli-json.ts'
import { CommandLine } from '../../support/command-line.ts'
import { registerFaultyAgent, type FaultyAgent } from '../../support/faulty-agent.ts'

// What runs in a deployment: its pods, its ingestions, and its end.

const NAME = 'cli-workloads'

let agent: FaultyAgent
let slipway: CommandLine
beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  slipway = await CommandLine.open('alice')
  const input = 'SERVICE_TOKEN=any-token'
  const args = ['deploy', NAME, '--yes', '--secrets-from', '-', '--set', 'agent.replicas=2']
  expect(await slipway.run(args, { input })).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await slipway[Symbol.asyncDispose]()
})

test('restarts the pods one after the other', async () => {
  const json = (await slipway.json(['restart', NAME, '--yes'])) as { pods: string[] }
  expect(json).toMatchObject({ status: 'restarted', account: agent.account, name: NAME })
  expect(json.pods).toHaveLength(2)
  expect(await problemWithJson('restart', json)).toBeUndefined()
  const unknown = await slipway.run(['restart', NAME, '--yes', '--pod', 'other'])
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no pod is named')])
})

test('runs an ingestion, and waits for its end', async () => {
  const json = await slipway.json(['trigger', NAME, 'load', '--wait'])
  expect(json).toMatchObject({ state: 'succeeded', exit_code: 0 })
  expect(await problemWithJson('trigger', json)).toBeUndefined()
  const text = await slipway.run(['trigger', NAME, 'load', '--wait'])
  expect(text).toMatchObject({ code: 0 })
  expect(text.stdout).toMatch(/^state\tsucceeded$/m)
  expect(text.stdout).toContain('loading 3 documents')
})

test('undeploys, after it has shown what is deleted', async () => {
  using terminal = await slipway.onTerminal(['undeploy', NAME])
  await terminal.shows(/Delete this deployment of cli-workloads/)
  expect(terminal.text).toMatch(/Deployment\/cli-workloads-agent/)
  terminal.type('y')
  expect([await terminal.ended, terminal.text]).toEqual([
    0,
    expect.stringMatching(/status +undeployed/),
  ])
  const again = await slipway.run(['undeploy', NAME, '--yes'])
  expect(again.code).toBe(1)
})
