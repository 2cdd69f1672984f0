import {
  KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
  type KubernetesObject,
} from '@kubernetes/client-node'

/** Applies objects with the client library of Kubernetes. */
export class LibraryApplier {
  readonly #api: KubernetesObjectApi

  constructor(kubeconfigPath: string) {
    const config = new KubeConfig()
    config.loadFromFile(kubeconfigPath)
    this.#api = KubernetesObjectApi.makeApiClient(config)
  }

  /** Reads the objects of a namespace in the form in which they can be applied. */
  async objectsOf(
    namespace: string,
    keys: readonly { apiVersion: string; kind: string; name: string }[],
  ): Promise<KubernetesObject[]> {
    const objects: KubernetesObject[] = []
    for (const { apiVersion, kind, name } of keys) {
      const metadata = kind === 'Namespace' ? { name } : { name, namespace }
      const object = await this.#api.read<KubernetesObject>({ apiVersion, kind, metadata })
      objects.push(withoutServerFields(object))
    }
    return objects
  }

  /** Applies objects one after another in another namespace. */
  async apply(objects: readonly KubernetesObject[], namespace: string): Promise<void> {
    for (const object of inNamespace(objects, namespace)) {
      await this.#api.patch(
        object,
        undefined,
        undefined,
        'bench',
        true,
        PatchStrategy.ServerSideApply,
      )
    }
  }

  /** Deletes a namespace. */
  async remove(namespace: string): Promise<void> {
    await this.#api
      .delete({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
      .catch(() => {})
  }
}

/** Returns copies of objects for another namespace. */
export function inNamespace(
  objects: readonly KubernetesObject[],
  namespace: string,
): KubernetesObject[] {
  return objects.map((object) => {
    const metadata =
      object.kind === 'Namespace'
        ? { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } }
        : Object.assign({}, object.metadata, { namespace })
    return { ...object, metadata }
  })
}

/** Returns an object without the fields that the server sets. */
export function withoutServerFields(
  object: KubernetesObject & { status?: unknown; spec?: Record<string, unknown> },
): KubernetesObject {
  const { status: _, metadata, ...rest } = object
  const { name = '', labels, annotations } = metadata ?? {}
  // The copy can't have the cluster IPs of the original.
  const { clusterIP: _ip, clusterIPs: _ips, finalizers: _f, ...spec } = rest.spec ?? {}
  return {
    ...rest,
    ...(rest.spec && { spec }),
    metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
  }
}
