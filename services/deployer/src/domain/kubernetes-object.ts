/** The metadata of an object. */
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

/** An object of the cluster, to apply or as read. */
export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
}

/** Identifies an object. */
export interface ObjectKey {
  readonly apiVersion: string
  readonly kind: string
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly name: string
}

/** Returns the key of an object. */
export function keyOf({ apiVersion, kind, metadata }: KubernetesObject): ObjectKey {
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name }
}

/** Returns a key as text, e.g. to use it in a map. */
export function keyText({ apiVersion, kind, namespace, name }: ObjectKey): string {
  return `${apiVersion}/${kind}/${namespace}/${name}`
}
