import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { callService } from '../support/cluster.ts'
import { registerNotesAgent, type NotesAgent } from '../support/notes-agent.ts'

// A schedule is due once a minute at most, so this takes about one.

const NAME = 'notes-by-schedule'

let agent: NotesAgent
beforeAll(async () => {
  agent = await registerNotesAgent(NAME)
}, 300_000)
afterAll(async () => {
  await request('POST', '/undeploy', { as: 'alice', body: { account: agent.account, name: NAME } })
})

test('an ingestion is started by its schedule', async () => {
  const { status, body } = await request('POST', '/deploy?wait=240', {
    as: 'alice',
    body: { account: agent.account, name: NAME, schedules: { news: '* * * * *' } },
  })
  expect([status, body.errors]).toEqual([200, []])
  const isNoted = async () => {
    const path = '/notes'
    const answer = await callService(body.k8s_namespace, `${NAME}-agent`, 8080, path)
    const { notes } = answer as { notes: string[] }
    return notes.some((note) => note.startsWith('brought by a schedule'))
  }
  await waitFor(isNoted, { what: 'the note', timeoutMs: 180_000, intervalMs: 250 })
})
