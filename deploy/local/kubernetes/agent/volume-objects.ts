import { join } from 'node:path'
import type { ApiObject } from '../client.ts'
import { NODE_NAME } from '../layout.ts'

const PROVISIONER = 'slipway.dev/local-directory'
const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by'

/** The fields of a PersistentVolumeClaim that are read here. */
export interface Claim extends ApiObject {
  readonly spec: {
    readonly accessModes: readonly string[]
    readonly storageClassName?: string
    readonly volumeName?: string
    readonly volumeMode?: string
    readonly resources: { readonly requests: { readonly storage: string } }
  }
}

/** The fields of a PersistentVolume that are read here. */
export interface Volume extends ApiObject {
  readonly spec: Readonly<Record<string, unknown>> & {
    readonly persistentVolumeReclaimPolicy?: string
  }
  readonly status?: { readonly phase?: string }
}

/** Whether a claim waits for a volume of this class: the controller manager has annotated it. */
export function isToProvide(claim: Claim): boolean {
  const wanted =
    claim.metadata.annotations?.['volume.kubernetes.io/storage-provisioner'] === PROVISIONER
  const isDirectory = (claim.spec.volumeMode ?? 'Filesystem') === 'Filesystem'
  return (
    wanted &&
    isDirectory &&
    claim.spec.volumeName === undefined &&
    claim.metadata.deletionTimestamp === undefined
  )
}

/** Whether a volume of this class has lost its claim, so that its data can be deleted. */
export function isToRemove(volume: Volume): boolean {
  return (
    volume.metadata.annotations?.[PROVISIONED_BY] === PROVISIONER &&
    volume.status?.phase === 'Released' &&
    volume.spec.persistentVolumeReclaimPolicy === 'Delete' &&
    /^pvc-[0-9a-f-]{36}$/.test(volume.metadata.name)
  )
}

/** Returns the volume for a claim: a `local` directory, the type that honors a pod's fsGroup. */
export function volumeFor(claim: Claim, root: string): Volume {
  const { name, namespace, uid } = claim.metadata
  const volumeName = `pvc-${uid}`
  const onNode = { key: 'kubernetes.io/hostname', operator: 'In', values: [NODE_NAME] }
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volumeName, annotations: { [PROVISIONED_BY]: PROVISIONER } },
    spec: {
      accessModes: claim.spec.accessModes,
      capacity: { storage: claim.spec.resources.requests.storage },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid },
      local: { path: join(root, volumeName) },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [onNode] }] } },
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: claim.spec.storageClassName,
      volumeMode: 'Filesystem',
    },
  }
}
