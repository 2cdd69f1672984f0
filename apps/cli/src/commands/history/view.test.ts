import { expect, test } from 'vitest'

import { revisionWith } from '../../deployments/testing/revision-with.ts'
import { viewHistory } from './view.ts'

const REASON = 'CrashLoopBackOff: the container exited with code 3'
const revisions = [
  revisionWith({ revision: 2, reason: REASON, was_ready: false }),
  revisionWith({ revision: 1 }),
]
const screen = { columns: 40, color: false }

test('says below the revisions why one was not ready', () => {
  const [, reasons] = viewHistory(revisions, undefined, { isTerminal: true, screen })
  expect(reasons).toEqual({
    kind: 'lines',
    lines: ['revision 2 was not ready:', 'CrashLoopBackOff: the container exited', 'with code 3'],
  })
  expect(viewHistory(revisions.slice(1), undefined, { isTerminal: true, screen })).toHaveLength(1)
})

test('ends each row of a pipe with the reason', () => {
  const [all, ...others] = viewHistory(revisions, undefined, { isTerminal: false, screen })
  expect(others).toEqual([])
  expect(all).toMatchObject({ kind: 'table' })
  const rows = all?.kind === 'table' ? all.rows : []
  expect(rows.map((row) => row.at(-1))).toEqual([REASON, ''])
})

test('names the machine token of a revision', () => {
  const revision = revisionWith({ created_by_token: { id: 't1', name: 'ci' } })
  const people = new Map([[revision.created_by, 'Alice Ng']])
  const [all] = viewHistory([revision], people, { isTerminal: true, screen })
  const rows = all?.kind === 'table' ? all.rows : []
  expect(rows[0]?.at(-1)).toBe('ci, a token of Alice Ng')
})
