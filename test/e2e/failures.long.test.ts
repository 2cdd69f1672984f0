import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { buildAgentImage } from '@slipway/agent-image'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { personalAccount, request, tokenOf } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'
import { read } from '../support/reading.ts'

// What the API says about an agent that fails, without a look at the cluster.

const NAME = 'faulty-agent'
const TOKEN = 'a-token-that-the-service-refuses-4711'
const RFC_3339 = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

let directory: string
let account: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-faulty-agent-'))
  const folder = join(directory, NAME)
  await mkdir(join(folder, 'src'), { recursive: true })
  await copyFile(
    new URL('../support/programs/faulty-agent.ts', import.meta.url),
    join(folder, 'src/main.ts'),
  )
  const manifest = { name: NAME, type: 'module', bin: { agent: './src/main.ts' }, files: ['src'] }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const { reference } = await buildAgentImage(folder, { registry: fromStack('SLIPWAY_REGISTRY') })
  account = await personalAccount('alice')
  const spec = `spec: astro/v1
name: ${NAME}
agent:
  image: "${reference}"
  port: 8080
  healthcheck: {path: /healthz, interval: 1s}
  inputs:
    fault: {name: FAULT, datatype: string, default: none}
    token: {name: SERVICE_TOKEN, datatype: string, secret: true}
`
  const body = { build_id: 'b1', registry: 'oci://registry.example', spec_content: spec }
  await request('POST', `/agents/${account}/${NAME}/register`, { as: 'alice', body })
})
afterAll(async () => {
  await request('POST', '/undeploy', { as: 'alice', body: { account, name: NAME } })
  await rm(directory, { recursive: true, force: true })
})

async function deployWith(fault: string, overrides: object = {}, headers = {}, waitSeconds = 90) {
  const body = {
    account,
    name: NAME,
    user_credentials: { FAULT: fault, SERVICE_TOKEN: TOKEN },
    overrides,
  }
  return await request('POST', `/deploy?wait=${waitSeconds}`, { as: 'alice', body, headers })
}

const state = async () =>
  (await request('GET', `/agents/${account}/${NAME}/deployment`, { as: 'alice' })).body

test('a crash: the exit code, the log without credentials, and which one was refused', async () => {
  const headers = { 'idempotency-key': 'faulty-agent-crash' }
  const answer = await deployWith('credential', {}, headers)
  expect([answer.status, answer.body.errors]).toEqual([
    207,
    ['agent: CrashLoopBackOff: the container exited with code 3'],
  ])
  const [failure] = answer.body.rollout.failures
  expect(failure).toMatchObject({
    component: 'agent',
    pod: expect.stringMatching(/^faulty-agent-agent-/),
    container: 'agent',
    exit_code: 3,
    reason: 'CrashLoopBackOff',
    message: 'the container exited with code 3',
    since: RFC_3339,
    log_lines: [
      'starting with fault credential',
      'the service refused SERVICE_TOKEN [redacted]: 401 Unauthorized',
    ],
    next: [
      'The log names SERVICE_TOKEN. If the agent refused the value, deploy again with another ' +
        'value in `user_credentials`.',
      expect.stringContaining('Read the log'),
    ],
  })
  expect(answer.text).not.toContain(TOKEN)
  const log = await request('GET', failure.log_url.replace('/api/v1', ''), { as: 'alice' })
  expect([log.status, log.text]).toEqual([200, expect.stringContaining('401 Unauthorized')])
  const shown = await state()
  expect(shown).toMatchObject({
    state: 'failed',
    reason: 'CrashLoopBackOff: the container exited with code 3',
    failures: [{ component: 'agent', exit_code: 3, log_lines: failure.log_lines }],
  })
  expect(shown.failures[0].restarts).toBeGreaterThanOrEqual(1)
  // The stored answer has neither the lines nor the event.
  const again = await deployWith('credential', {}, headers)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(again.body.rollout.failures).toMatchObject([{ exit_code: 3, next: failure.next }])
  expect(again.text).not.toContain('starting with fault')
})

test('out of memory: the limit that killed it, and the override that raises it', async () => {
  const limits = { 'agent.resources': { requests: { memory: '96Mi' }, limits: { memory: '96Mi' } } }
  const answer = await deployWith('memory', limits)
  expect(answer.body.errors).toEqual([
    'agent: OOMKilled: the container used more memory than its limit of 96Mi and was killed',
  ])
  const [failure] = answer.body.rollout.failures
  expect(failure).toMatchObject({ reason: 'OOMKilled', exit_code: 137 })
  const [, override = ''] = /"overrides": (\{.*\})\.$/.exec(failure.next[0]) ?? []
  expect(JSON.parse(override)).toEqual({ 'agent.resources.limits.memory': '192Mi' })
  // What it says works.
  const fixed = await deployWith('none', JSON.parse(override))
  expect([fixed.status, fixed.body.errors]).toEqual([200, []])
  expect((await state()).failures).toBeUndefined()
})

test('a failing check: what was asked and answered, and the event', async () => {
  const message = 'the startup check (GET /healthz on port 8080) was answered with 404'
  await deployWith('check', {}, {}, 0)
  // Before the program listens, the check is answered otherwise.
  await expect.poll(state).toMatchObject({
    reason: `Unhealthy: ${message}`,
    failures: [
      {
        reason: 'Unhealthy',
        message,
        original: expect.stringContaining('statuscode: 404'),
        log_lines: ['starting with fault check'],
        event: {
          reason: 'Unhealthy',
          count: expect.toSatisfy((count) => count > 3),
          first_seen: RFC_3339,
          last_seen: RFC_3339,
        },
        next: [
          expect.stringContaining('healthcheck'),
          expect.stringContaining('agent.healthcheck'),
          expect.stringContaining('roll back'),
        ],
      },
    ],
  })
  // On a busy node, a check may also have no answer in time.
  const outcome = async () => {
    const answer = await deployWith('check', {}, {}, 1)
    return [answer.status, answer.body.errors]
  }
  await expect.poll(outcome).toEqual([207, [`agent: Unhealthy: ${message}`]])
})

test('no room: what is lacking, and what to lower', async () => {
  const amounts = { cpu: '120', memory: '1Gi' }
  const overrides = { 'agent.resources': { requests: amounts, limits: amounts } }
  await deployWith('none', overrides, {}, 0)
  const message = 'no node has enough free cpu'
  await waitFor(async () => (await state()).reason === `Unschedulable: ${message}`, {
    what: 'the scheduler',
  })
  // A busy cluster may not explain a failure in time.
  const answer = await waitFor(
    async () => {
      const given = await deployWith('none', overrides, {}, 1)
      return given.body.rollout.failures?.length === 1 ? given : undefined
    },
    { what: 'the explanation' },
  )
  expect(answer.body.errors).toEqual([`agent: Unschedulable: ${message}`])
  expect(answer.body.rollout.failures[0]).toMatchObject({
    original: expect.stringContaining('Insufficient cpu'),
    next: [
      expect.stringContaining('"agent.resources.requests.cpu" (now 120)'),
      expect.stringContaining('roll back'),
    ],
  })
})

test('the log of all pods, gone ones too, with events, is sorted and followed', async () => {
  const path = `/agents/${account}/${NAME}/deployment/logs`
  const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')
  const all = await request('GET', path, { as: 'alice' })
  expect([all.status, all.headers.get('content-type'), all.headers.get('cache-control')]).toEqual([
    200,
    'text/plain; charset=utf-8',
    'no-store',
  ])
  const lines = linesOf(all.text)
  const times = lines.map((line) => line.slice(0, line.indexOf(' ')))
  expect(times).toEqual(times.toSorted())
  for (const pattern of [
    // The pods that crashed are gone by now.
    /^\S+Z faulty-agent-agent-\S+\[agent\] starting with fault credential$/,
    /^\S+Z faulty-agent-agent-\S+\[agent\] starting with fault memory$/,
    /^\S+Z faulty-agent-agent-\S+ event Unhealthy: Startup probe failed: .* 404( \(\d+ times\))?$/,
  ])
    expect(lines).toContainEqual(expect.stringMatching(pattern))
  const since = times.at(-1) ?? ''
  const late = await request('GET', `${path}?since=${since}&component=agent`, { as: 'alice' })
  expect(linesOf(late.text).every((line) => line >= since)).toBe(true)
  expect(late.text.length).toBeLessThan(all.text.length)
  const unknown = await request('GET', `${path}?component=tool-x`, { as: 'alice' })
  expect([unknown.status, unknown.body.code]).toEqual([404, 'component_not_found'])
  expect((await request('GET', path, { as: 'mallory' })).status).toBe(403)

  const following = await read(`${path}?follow=true`, await tokenOf('alice'))
  await waitFor(() => following.text().includes('fault credential'), { what: 'the earlier lines' })
  const resources = {
    requests: { cpu: '50m', memory: '96Mi' },
    limits: { cpu: '1', memory: '256Mi' },
  }
  expect((await deployWith('none', { 'agent.resources': resources })).status).toBe(200)
  const started = /^\S+Z faulty-agent-agent-\S+\[agent\] starting with fault none$/m
  await waitFor(() => started.test(following.text()), { what: 'the lines of the new pod' })
  await request('POST', '/undeploy', { as: 'alice', body: { account, name: NAME } })
  await waitFor(() => following.end() !== 'open', { what: 'the end with the deployment' })
  expect(following.end()).toBe('ended')
})
