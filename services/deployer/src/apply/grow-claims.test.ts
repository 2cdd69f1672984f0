import { expect, test } from 'vitest'

import type { StatefulSet } from '../manifests/types.ts'
import { growthsOf, type Claim } from './grow-claims.ts'

const setOf = (name: string, size: string) => {
  const requests = { storage: size }
  const object = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name },
    spec: {
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { resources: { requests } } }],
    },
  } as unknown as StatefulSet
  return { component: name, object }
}
const claimOf = (name: string, storage: string): Claim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { resources: { requests: { storage } } },
})

test('selects the claims that are smaller than the template of their stateful set', () => {
  const claims = [
    claimOf('data-a-0', '1Gi'),
    claimOf('data-a-1', '2Gi'),
    claimOf('data-a-2', '2048Mi'),
    claimOf('data-a-3', '3Gi'),
    claimOf('data-a-b-0', '1Gi'),
    claimOf('data-c-0', '1Gi'),
    claimOf('other-a-0', '1Gi'),
  ]
  const growths = growthsOf([setOf('a', '2Gi'), setOf('a-b', '1Gi')], claims)
  expect(growths.map(({ claim, from, to }) => [claim.metadata.name, from, to])).toEqual([
    ['data-a-0', '1Gi', '2Gi'],
  ])
})
