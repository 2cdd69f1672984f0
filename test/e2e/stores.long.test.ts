import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { callService, find } from '../support/cluster.ts'
import { registerNotesAgent, type NotesAgent } from '../support/notes-agent.ts'

const NAME = 'notes-for-long'
/** A schedule that is never due in a test run. */
const NEVER = '0 0 29 2 *'

let agent: NotesAgent
const undeploy = async () =>
  await request('POST', '/undeploy', { as: 'alice', body: { account: agent.account, name: NAME } })
beforeAll(async () => {
  agent = await registerNotesAgent(NAME)
}, 300_000)
afterAll(undeploy)

async function deploy(schedule: string): Promise<string> {
  const { status, body } = await request('POST', '/deploy?wait=240', {
    as: 'alice',
    body: { account: agent.account, name: NAME, schedules: { news: schedule } },
  })
  expect([status, body.errors, body.revision]).toEqual([200, [], 1])
  return body.k8s_namespace
}

async function notes(namespace: string): Promise<string[]> {
  const answer = await callService(namespace, `${NAME}-agent`, 8080, '/notes')
  return (answer as { notes: string[] }).notes
}

test('an ingestion is started by its schedule, and an undeploy deletes its data', async () => {
  const namespace = await deploy('* * * * *')
  const isNoted = async () =>
    (await notes(namespace)).some((note) => note.startsWith('brought by a schedule'))
  // A schedule is due once a minute at most.
  await waitFor(isNoted, { what: 'the note', timeoutMs: 180_000, intervalMs: 250 })
  expect((await undeploy()).status).toBe(200)
  await waitFor(async () => (await find(`/api/v1/namespaces/${namespace}`)) === undefined, {
    what: 'the namespace to go',
  })
  const after = await notes(await deploy(NEVER))
  expect(after.filter((note) => !note.startsWith('brought by the start'))).toEqual([])
})
