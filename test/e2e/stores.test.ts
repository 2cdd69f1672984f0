import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { callService, list, untilReplaced } from '../support/cluster.ts'
import { registerNotesAgent, type NotesAgent } from '../support/notes-agent.ts'

const NAME = 'notes-e2e'
/** A schedule that is never due in a test run. */
const NEVER = '0 0 29 2 *'

let agent: NotesAgent
let namespace: string

const deploy = async (body: object = {}, path = '/deploy?wait=240') =>
  await request('POST', path, {
    as: 'alice',
    body: { account: agent.account, name: NAME, ...body },
  })

/** The objects of a plan or a result that are created, with their names. */
const createdIn = (objects: { kind: string; name: string; [member: string]: string }[]) =>
  objects
    .filter(({ action, status }) => action === 'create' || status === 'created')
    .map(({ kind, name }) => `${kind}/${name}`)
    .sort()

/** The agent's notes, read as its users would. */
async function notes(): Promise<{ notes: string[]; count: number; words: number }> {
  return (await callService(namespace, `${NAME}-agent`, 8080, '/notes')) as Awaited<
    ReturnType<typeof notes>
  >
}

const untilNoted = async (text: string) =>
  await waitFor(async () => (await notes()).notes.some((note) => note.startsWith(text)), {
    what: `the note “${text}”`,
    intervalMs: 250,
  })

async function podIds(component: string): Promise<(string | undefined)[]> {
  const selector = encodeURIComponent(`app.kubernetes.io/component=${component}`)
  const pods = await list(`/api/v1/namespaces/${namespace}/pods?labelSelector=${selector}`)
  return pods.map(({ metadata: { uid } }) => uid)
}

beforeAll(async () => {
  agent = await registerNotesAgent(NAME)
}, 300_000)

afterAll(async () => {
  await request('POST', '/undeploy', { as: 'alice', body: { account: agent.account, name: NAME } })
})

describe('an agent with stores, a tool and every kind of ingestion', () => {
  test('is ready with its stores, each with a password and a volume', async () => {
    const schedules = { news: NEVER }
    const { body: checked } = await deploy({ schedules }, '/deploy/validate?dry_run=server')
    const { status, body } = await deploy({ schedules })
    expect([status, body.errors]).toEqual([200, []])
    // Also those whose names depend on content that is generated: passwords, tokens, ids.
    expect(createdIn(checked.plan)).toEqual(createdIn(body.resources))
    const again = await deploy({ schedules }, '/deploy/validate?dry_run=server')
    expect(createdIn(again.body.plan)).toEqual([])
    namespace = body.k8s_namespace
    expect(
      body.rollout.components.map(
        ({ name, state }: { name: string; state: string }) => `${name} ${state}`,
      ),
    ).toEqual([
      'agent ready',
      'ingestion-archive ready',
      'ingestion-hook ready',
      'ingestion-news ready',
      'ingestion-seed ready',
      'knowledge-counts ready',
      'knowledge-notes ready',
      'tool-counter ready',
    ])
    const answer = await callService(namespace, `${NAME}-agent`, 8080, '/notes', {
      text: 'the first note',
    })
    expect(answer).toMatchObject({ count: expect.any(Number) })
    const claims = await list<{ metadata: { name: string }; status: { phase: string } }>(
      `/api/v1/namespaces/${namespace}/persistentvolumeclaims`,
    )
    expect(claims.map(({ status: { phase } }) => phase)).toEqual(['Bound', 'Bound'])
  })

  test('starts its ingestions once for a revision, by hand and by a webhook', async () => {
    await untilNoted('brought by the start of a revision')
    const path = `/deployments/${namespace}/ingestion/archive/trigger?account=${agent.account}`
    const triggered = await request('POST', path, { as: 'alice' })
    expect([triggered.status, triggered.body]).toEqual([
      200,
      { status: 'triggered', job_name: expect.stringContaining('archive'), namespace },
    ])
    await untilNoted('brought by hand')
    const wrong = `/deployments/${namespace}/ingestion/seed/trigger?account=${agent.account}`
    expect((await request('POST', wrong, { as: 'alice' })).status).toBe(400)
    await callService(namespace, `${NAME}-ingestion-hook`, 8090, '/', { news: 1 })
    await untilNoted('brought by a webhook')
  })

  test('keeps its data over builds and rollbacks, and restarts only changed parts', async () => {
    const before = await notes()
    const stores = [...(await podIds('knowledge-notes')), ...(await podIds('knowledge-counts'))]
    expect(stores).toHaveLength(2)
    const buildId = `second-${Date.now()}`
    await agent.register(
      buildId,
      agent.spec.replace('path: /healthz', 'path: /healthz # another build'),
    )
    const second = await deploy({ user_credentials: { NOTES_SIGNATURE: 'the author' } })
    expect([second.status, second.body.revision, second.body.build_id]).toEqual([200, 2, buildId])
    await untilReplaced(namespace, 'agent')
    await callService(namespace, `${NAME}-agent`, 8080, '/notes', { text: 'signed' })
    expect((await notes()).notes).toContain('signed -- the author')
    expect((await notes()).notes).toEqual(expect.arrayContaining(before.notes))
    expect([...(await podIds('knowledge-notes')), ...(await podIds('knowledge-counts'))]).toEqual(
      stores,
    )

    const back = await request(
      'POST',
      `/agents/${agent.account}/${NAME}/deployment/rollback?wait=240`,
      { as: 'alice' },
    )
    expect([back.status, back.body.build_id]).toEqual([200, agent.buildId])
    await untilReplaced(namespace, 'agent')
    await callService(namespace, `${NAME}-agent`, 8080, '/notes', { text: 'after the rollback' })
    const after = await notes()
    expect(after.notes).toContain('after the rollback')
    expect(after.notes).toEqual(expect.arrayContaining(before.notes))
    // A revision's ingestion may be between adding its note and counting it.
    const isWhole = async () => {
      const now = await notes()
      return now.count === now.notes.length
    }
    await waitFor(isWhole, { what: 'as many notes as were counted' })
  })
})
