import { describe, expect, test } from 'vitest'
import { isToProvide, isToRemove, volumeFor } from './volume-objects.ts'
import type { Claim, Volume } from './volume-objects.ts'

const uid = '68515684-e97f-4662-bc33-844b3c3176df'
const claim: Claim = {
  metadata: {
    name: 'data',
    namespace: 'agent-x',
    uid,
    annotations: { 'volume.kubernetes.io/storage-provisioner': 'slipway.dev/local-directory' },
  },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'local-directory',
    resources: { requests: { storage: '1Gi' } },
  },
}

describe('isToProvide', () => {
  test('accepts a claim of the class without a volume', () => expect(isToProvide(claim)).toBe(true))

  test.each<[string, Claim]>([
    ['of another class', { ...claim, metadata: { ...claim.metadata, annotations: {} } }],
    ['that has a volume', { ...claim, spec: { ...claim.spec, volumeName: 'pvc-1' } }],
    [
      'that is being deleted',
      { ...claim, metadata: { ...claim.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
    ],
    ['for a raw device', { ...claim, spec: { ...claim.spec, volumeMode: 'Block' } }],
  ])('ignores a claim %s', (_, other) => expect(isToProvide(other)).toBe(false))
})

test('volumeFor binds a volume on the node to its claim, with the requested size', () => {
  expect(volumeFor(claim, '/state/volumes')).toMatchObject({
    metadata: { name: `pvc-${uid}` },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      claimRef: { namespace: 'agent-x', name: 'data', uid },
      local: { path: `/state/volumes/pvc-${uid}` },
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: 'local-directory',
    },
  })
})

describe('isToRemove', () => {
  const released: Volume = { ...volumeFor(claim, '/state/volumes'), status: { phase: 'Released' } }

  test('accepts a volume of the class whose claim was deleted', () =>
    expect(isToRemove(released)).toBe(true))

  test.each<[string, Volume]>([
    ['that is in use', { ...released, status: { phase: 'Bound' } }],
    [
      'with the policy Retain',
      { ...released, spec: { ...released.spec, persistentVolumeReclaimPolicy: 'Retain' } },
    ],
    ['of another class', { ...released, metadata: { ...released.metadata, annotations: {} } }],
    [
      'whose name leads to another directory',
      { ...released, metadata: { ...released.metadata, name: 'pvc-../../etc' } },
    ],
  ])('ignores a volume %s', (_, other) => expect(isToRemove(other)).toBe(false))
})
