import { expect, test } from 'vitest'

import { defaultTarget } from './default-target.ts'
import { revisionWith } from './testing/revision-with.ts'

test('the newest earlier revision that was ready and can be restored', () => {
  const revisions = [
    revisionWith({ revision: 5, build_id: 'b3', live: true }),
    revisionWith({ revision: 4, build_id: 'b2', was_ready: false }),
    revisionWith({ revision: 3, build_id: 'b2', restorable: false }),
    revisionWith({ revision: 2 }),
    revisionWith({ revision: 1 }),
  ]
  expect(defaultTarget(revisions)).toBe(2)
})

test('a revision of the same build differs if it comes directly before', () => {
  const live = revisionWith({ revision: 3, live: true })
  expect(defaultTarget([live, revisionWith({ revision: 2 })])).toBe(2)
  const between = revisionWith({ revision: 2, build_id: 'b2', was_ready: false })
  expect(defaultTarget([live, between, revisionWith({ revision: 1 })])).toBeUndefined()
})

test('unknown without a live revision or an earlier one', () => {
  expect(defaultTarget([])).toBeUndefined()
  expect(defaultTarget([revisionWith({ revision: 2 })])).toBeUndefined()
  expect(defaultTarget([revisionWith({ revision: 1, live: true })])).toBeUndefined()
})
