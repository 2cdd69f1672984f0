import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { freshName } from '../contract/cases/case.ts'
import { request, shortToken, tokenOf } from '../support/api.ts'
import { readyPods } from '../support/cluster.ts'
import { read, type Reading } from '../support/reading.ts'
import { API_TOKEN, registerSupportAgent } from '../support/support-agent.ts'

// Every kind of stream, and every way in which its caller loses access while it runs.

const NAME = 'lost-access'
const WAITING = 'lost-access-waiting'
/** No node has room for it, so a wait for it doesn't end by itself. */
const TOO_LARGE = { cpu: '120', memory: '1Gi' }

let account: string
let namespace: string
let pod: string
let bob: string

beforeAll(async () => {
  account = freshName('lost')
  await succeed('POST', '/accounts', { name: account })
  bob = (await request('GET', '/me', { as: 'bob' })).body.user.id
  for (const name of [NAME, WAITING]) {
    const { buildId, spec } = await registerSupportAgent(name)
    const build = { build_id: buildId, registry: 'https://registry.example', spec_content: spec }
    await succeed('POST', `/agents/${account}/${name}/register`, build)
  }
  const deployed = await succeed('POST', '/deploy?wait=200', {
    account,
    name: NAME,
    user_credentials: { SUPPORT_API_TOKEN: API_TOKEN },
  })
  expect(deployed.rollout.state).toBe('ready')
  namespace = deployed.k8s_namespace
  pod = (await readyPods(namespace))[0]?.metadata.name ?? ''
})
afterAll(async () => {
  for (const name of [NAME, WAITING])
    await request('POST', '/undeploy', { as: 'alice', body: { account, name } })
})

/** Sends a request as Alice, who owns the account, and returns the body. */
async function succeed(method: string, path: string, body?: object) {
  const answer = await request(method, path, { as: 'alice', body })
  if (answer.status >= 300) throw new Error(`${path} returned ${answer.status}: ${answer.text}`)
  return answer.body
}

/** A caller who loses access. */
interface Caller {
  readonly token: string
  /** Undefined if access ends by itself. */
  readonly lose?: () => Promise<unknown>
}

const callers: Readonly<Record<string, () => Promise<Caller>>> = {
  'a member who is removed': async () => {
    const path = `/accounts/${account}/members/${bob}`
    await succeed('PUT', path, { role: 'member' })
    return { token: await tokenOf('bob'), lose: async () => await succeed('DELETE', path) }
  },
  'a machine token that is revoked': async () => {
    const path = `/accounts/${account}/tokens`
    const { id, token } = await succeed('POST', path, { name: freshName('ci'), role: 'member' })
    return { token, lose: async () => await succeed('DELETE', `${path}/${id}`) }
  },
  'a token that expires': async () => ({ token: await shortToken() }),
}

const streams = () => ({
  'the log of a pod': `/deployments/${namespace}/logs?account=${account}&pod=${pod}&follow=true`,
  'the log of an agent': `/agents/${account}/${NAME}/deployment/logs?follow=true`,
  'the events of a deployment': `/agents/${account}/${NAME}/deployment/events`,
})

/** Opens every stream. Undefined if the token has expired before, on a busy machine. */
async function openAll(token: string): Promise<[string, Reading][] | undefined> {
  const opened = await Promise.all(
    Object.entries(streams()).map(async ([kind, path]): Promise<[string, Reading]> => [
      kind,
      await read(path, token),
    ]),
  )
  if (opened.some(([, { status }]) => status === 401)) {
    for (const [, reading] of opened) reading.close()
    return undefined
  }
  expect(opened.map(([kind, { status }]) => [kind, status])).toEqual(
    opened.map(([kind]) => [kind, 200]),
  )
  return opened
}

describe.each(Object.entries(callers))('%s', (_, begin) => {
  test('loses every stream', async () => {
    const [caller, opened] = await waitFor(
      async () => {
        const next = await begin()
        const all = await openAll(next.token)
        return all && ([next, all] as const)
      },
      { what: 'streams before the token expires' },
    )
    for (const [kind, reading] of opened)
      await waitFor(() => reading.text() !== '', { what: `the start of ${kind}` })
    await caller.lose?.()
    for (const [kind, reading] of opened)
      await waitFor(() => reading.end() !== 'open', { what: `the end of ${kind}` })
    // A request with a token that has just expired is still accepted, for clocks that differ.
    if (caller.lose === undefined) return
    for (const path of Object.values(streams()))
      expect((await read(path, caller.token)).status).toBeOneOf([401, 403])
  })
})

test.each(Object.entries(callers).filter(([name]) => !name.includes('expires')))(
  '%s loses the wait for a deploy, which goes on',
  async (_, begin) => {
    const { token, lose } = await begin()
    const path = `/agents/${account}/${WAITING}/deployment`
    const revision = async () => (await request('GET', path, { as: 'alice' })).body.revision ?? 0
    const before = await revision()
    const waiting = request('POST', '/deploy?wait=300', {
      headers: { authorization: `Bearer ${token}` },
      body: {
        account,
        name: WAITING,
        user_credentials: { SUPPORT_API_TOKEN: `${API_TOKEN}-${before}` },
        overrides: { 'agent.resources': { requests: TOO_LARGE, limits: TOO_LARGE } },
      },
    })
    await waitFor(async () => (await revision()) > before, { what: 'the revision' })
    await lose?.()
    expect((await waiting).status).toBeOneOf([401, 403])
    expect(await revision()).toBe(before + 1)
  },
)
