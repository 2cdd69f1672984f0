import { expect, test } from 'vitest'
import { stoppedStatus } from './mark-pods-stopped.ts'

test('stoppedStatus changes only readiness', () => {
  const conditions = [
    { type: 'PodScheduled', status: 'True' },
    { type: 'Ready', status: 'True' },
  ]
  const stopped = stoppedStatus({
    conditions,
    containerStatuses: [{ ready: true }, { ready: false }],
  })
  expect(stopped.conditions).toMatchObject([
    { type: 'PodScheduled', status: 'True' },
    { type: 'Ready', status: 'False', reason: 'NodeStopped' },
  ])
  expect(stopped.containerStatuses).toEqual([{ ready: false }, { ready: false }])
})
