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
  test('a claim of our class that has no volume', () => expect(isToProvide(claim)).toBe(true))

  test.each<[string, Claim]>([
    ['of another class', { ...claim, metadata: { ...claim.metadata, annotations: {} } }],
    ['that has a volume', { ...claim, spec: { ...claim.spec, volumeName: 'pvc-1' } }],
    [
      'that is being deleted',
      { ...claim, metadata: { ...claim.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
    ],
    ['for a raw device', { ...claim, spec: { ...claim.spec, volumeMode: 'Block' } }],
  ])('not one %s', (_, other) => expect(isToProvide(other)).toBe(false))
})

test('the volume is bound to its claim, on the node, with what was asked for', () => {
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

  test('a volume of ours that has lost its claim', () => expect(isToRemove(released)).toBe(true))

  test.each<[string, Volume]>([
    ['that is in use', { ...released, status: { phase: 'Bound' } }],
    [
      'that somebody wants to keep',
      { ...released, spec: { ...released.spec, persistentVolumeReclaimPolicy: 'Retain' } },
    ],
    ['of somebody else', { ...released, metadata: { ...released.metadata, annotations: {} } }],
    [
      'whose name would lead elsewhere',
      { ...released, metadata: { ...released.metadata, name: 'pvc-../../etc' } },
    ],
  ])('not one %s', (_, other) => expect(isToRemove(other)).toBe(false))
})
