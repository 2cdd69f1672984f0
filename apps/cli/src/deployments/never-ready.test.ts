import { expect, test } from 'vitest'

import { neverReadyWarnings } from './never-ready.ts'
import { revisionWith } from './testing/revision-with.ts'

const first = revisionWith({ revision: 1 })
const bad = revisionWith({ revision: 2, build_id: 'b2', was_ready: false })
const back = revisionWith({ revision: 3, live: true, rolled_back_to: 1 })

test('warns of a build that was never ready, after a rollback from it', () => {
  expect(neverReadyWarnings([back, bad, first], 'b2')).toEqual([
    'build b2 never became ready in revision 2, and a rollback has replaced it: ' +
      'to keep to revision 3, deploy with --build current',
  ])
})

test.each([
  ['another build', [back, bad, first], 'b3'],
  ['the build that runs', [back, bad, first], 'b1'],
  ['a build that was ready', [back, { ...bad, was_ready: true }, first], 'b2'],
  ['a build that is still live', [{ ...bad, live: true }, first], 'b2'],
  ['a first deploy', [], 'b1'],
])('does not warn of %s', (_what, revisions, build) => {
  expect(neverReadyWarnings(revisions, build)).toEqual([])
})
