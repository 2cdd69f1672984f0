import type { V1Pod } from '@kubernetes/client-node'
import { expect, test } from 'vitest'

import { COMPONENT_LABEL } from '../domain/labels.ts'
import { noticesOf } from './notices.ts'

const STORE = 'knowledge-notes'

/** A pod that its node has removed some hours ago. */
function removed(hours: number): V1Pod {
  const time = new Date(Date.now() - hours * 3_600_000)
  return {
    metadata: { name: 'notes-0', labels: { [COMPONENT_LABEL]: STORE } },
    status: {
      phase: 'Failed',
      reason: 'Evicted',
      message: 'Pod ephemeral local storage usage exceeds the total limit of containers 10Gi. ',
      conditions: [{ type: 'DisruptionTarget', status: 'True', lastTransitionTime: time }],
    },
  }
}

const noticesFor = async (pod: V1Pod) =>
  await noticesOf({ pods: [pod], secrets: [] } as never, [STORE])

test('says which pods their node has removed within a day, and why', async () => {
  expect(await noticesFor(removed(2))).toEqual([
    'knowledge-notes: notes-0: the pod wrote more than 10Gi, its limit, to the space of its ' +
      'node, as in /tmp, and was removed',
  ])
  expect(await noticesFor(removed(30))).toEqual([])
  const { metadata } = removed(0)
  expect(await noticesFor({ ...(metadata && { metadata }), status: { phase: 'Running' } })).toEqual(
    [],
  )
})
