import type { Schemas } from '@slipway/client'
import { expect, test } from 'vitest'

import { goodRevision } from './good-revision.ts'

/** A revision that was ready, and that a rollback can restore. */
function revision(number: number, facts: Partial<Schemas['Revision']> = {}): Schemas['Revision'] {
  return {
    revision: number,
    state: 'superseded',
    build_id: 'b1',
    created_at: '2026-11-22T12:00:00Z',
    created_by: 'alice',
    errors: [],
    live: false,
    restorable: true,
    was_ready: true,
    ...facts,
  }
}

const live = (number: number, facts: Partial<Schemas['Revision']> = {}) =>
  revision(number, { live: true, restorable: false, was_ready: false, ...facts })

test.each([
  ['the one before', [live(3), revision(2), revision(1)], 2],
  ['none that was never ready', [live(3), revision(2, { was_ready: false }), revision(1)], 1],
  ['none without its Secrets', [live(2), revision(1, { restorable: false })], undefined],
  ['none that it is a copy of', [live(3, { rolled_back_to: 2 }), revision(2), revision(1)], 1],
  ['none after it', [revision(3), live(2)], undefined],
  ['none if nothing was applied', [revision(1)], undefined],
])('advises %s', (_, revisions, expected) => {
  expect(goodRevision(revisions)?.revision).toBe(expected)
})
