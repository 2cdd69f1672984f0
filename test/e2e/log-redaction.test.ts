import { createClient, type AgentLogEntry } from '@slipway/client'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { request, shortToken, tokenOf } from '../support/api.ts'
import { callService } from '../support/cluster.ts'
import { CommandLine } from '../support/command-line.ts'
import { fromStack } from '../support/environment.ts'
import { deployInspectedAgent, type InspectedAgent } from '../support/inspected-agent.ts'
import { read } from '../support/reading.ts'
import { API_TOKEN } from '../support/support-agent.ts'

// An agent that logs its own credential: no way out of the platform shows it.

const NAME = 'talking-agent'
const NEXT_TOKEN = `next-${API_TOKEN}-of-a-later-deploy`
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

/** The agent logs the paths of requests. */
async function say(word: string, token: string): Promise<void> {
  const basic = Buffer.from(`user:${token}`).toString('base64url')
  const hex = Buffer.from(token).toString('hex')
  const query = `said=${word}&plain=${token}&basic=${basic}&hex=${hex}&end=${word}`
  await callService(agent.namespace, `${NAME}-agent`, 8080, `/healthz?${query}`)
}

/** The forms of a token, and a part of its base64 after `user:`. */
const formsOf = (token: string) => [
  token,
  Buffer.from(`user:${token}`).toString('base64url'),
  Buffer.from(token).toString('hex'),
]

function expectNone(text: string, token: string): void {
  for (const form of formsOf(token)) expect(text).not.toContain(form)
  expect(text).toContain('[redacted]')
}

test('the log of a pod and of the agent, read and followed, by REST and command line', async () => {
  const pod = await agent.podName()
  const followed = await read(agent.logPath(pod, '&follow=true'), await tokenOf('alice'))
  await say('first', API_TOKEN)
  await waitFor(() => followed.text().includes('end=first'), { what: 'the line' })
  const ofAgent = `/agents/${agent.account}/${NAME}/deployment/logs`
  const texts = await Promise.all([
    request('GET', agent.logPath(pod, ''), { as: 'alice' }),
    request('GET', agent.logPath(pod, '&timestamps=true'), { as: 'alice' }),
    request('GET', ofAgent, { as: 'alice' }),
  ])
  const shown = await slipway.run(['logs', NAME])
  for (const text of [followed.text(), shown.stdout, ...texts.map((each) => each.text)]) {
    expect(text).toContain('end=first')
    expectNone(text, API_TOKEN)
  }
  followed.close()
})

test('a credential that changes while the log is followed', async () => {
  const client = createClient({ url: fromStack('SLIPWAY_URL'), token: () => shortToken() })
  const leaving = new AbortController()
  const entries: AgentLogEntry[] = []
  const target = { account: agent.account, name: NAME }
  const reading = (async () => {
    const options = { follow: true, signal: leaving.signal }
    for await (const entry of client.agentLogs(target, options)) entries.push(entry)
  })()
  const textOf = () => entries.map((entry) => JSON.stringify(entry)).join('\n')
  await waitFor(() => entries.length > 0, { what: 'the log' })
  const body = { ...agent.deployBody, user_credentials: { SUPPORT_API_TOKEN: NEXT_TOKEN } }
  const deployed = await request('POST', '/deploy?wait=200', { as: 'alice', body })
  expect(deployed.body.rollout?.state).toBe('ready')
  await say('second', NEXT_TOKEN)
  await waitFor(() => textOf().includes('end=second'), { what: 'the line of the new pod' })
  expectNone(textOf(), NEXT_TOKEN)
  leaving.abort()
  await reading
})
