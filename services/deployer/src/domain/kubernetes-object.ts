/** What every object of the cluster has. */
export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly ownerReferences?: readonly {
    readonly kind: string
    readonly name: string
    readonly uid: string
  }[]
  readonly managedFields?: readonly {
    readonly manager?: string
    readonly operation?: string
    readonly time?: string
    readonly subresource?: string
    readonly fieldsV1?: { readonly 'f:spec'?: Readonly<Record<string, unknown>> }
  }[]
}

/** An object to apply, or one that was read. */
export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
}

/** Names an object. */
export interface ObjectKey {
  readonly apiVersion: string
  readonly kind: string
  /** Empty for objects of the cluster. */
  readonly namespace: string
  readonly name: string
}

/** The key of an object. */
export function keyOf({ apiVersion, kind, metadata }: KubernetesObject): ObjectKey {
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name }
}

/** A key as text, to compare by. */
export function keyText({ apiVersion, kind, namespace, name }: ObjectKey): string {
  return `${apiVersion}/${kind}/${namespace}/${name}`
}
