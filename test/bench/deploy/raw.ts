import {
  KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
  type KubernetesObject,
} from '@kubernetes/client-node'

/**
 * The same objects, applied one after another by nothing but the client library: what a deploy is
 * compared with.
 */
export class RawApplier {
  readonly #api: KubernetesObjectApi

  constructor(kubeconfigPath: string) {
    const config = new KubeConfig()
    config.loadFromFile(kubeconfigPath)
    this.#api = KubernetesObjectApi.makeApiClient(config)
  }

  /**
   * The objects of a namespace that a deploy has made, as they would be applied: the namespace
   * first.
   */
  async objectsOf(
    namespace: string,
    keys: readonly { apiVersion: string; kind: string; name: string }[],
  ) {
    const objects: KubernetesObject[] = []
    for (const { apiVersion, kind, name } of keys) {
      const metadata = kind === 'Namespace' ? { name } : { name, namespace }
      objects.push(stripped(await this.#api.read<KubernetesObject>({ apiVersion, kind, metadata })))
    }
    return objects
  }

  /** Applies objects in another namespace, one after another. */
  async apply(objects: readonly KubernetesObject[], namespace: string): Promise<void> {
    for (const object of moved(objects, namespace)) {
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

  /** Removes a namespace. */
  async remove(namespace: string): Promise<void> {
    await this.#api
      .delete({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
      .catch(() => {})
  }
}

/** The objects as they would be in another namespace. */
export function moved(objects: readonly KubernetesObject[], namespace: string): KubernetesObject[] {
  return objects.map((object) => {
    const metadata =
      object.kind === 'Namespace'
        ? { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } }
        : Object.assign({}, object.metadata, { namespace })
    return { ...object, metadata }
  })
}

/** An object without what only the server or another object can have given it. */
export function stripped(
  object: KubernetesObject & { status?: unknown; spec?: Record<string, unknown> },
): KubernetesObject {
  const { status: _, metadata, ...rest } = object
  const { name = '', labels, annotations } = metadata ?? {}
  // Addresses that were given to the one can't be the other's.
  const { clusterIP: _ip, clusterIPs: _ips, finalizers: _f, ...spec } = rest.spec ?? {}
  return {
    ...rest,
    ...(rest.spec && { spec }),
    metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
  }
}
