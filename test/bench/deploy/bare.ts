import { createApiClient } from '@slipway/local/kubernetes-client'
import type { KubernetesObject } from '@kubernetes/client-node'

import { stripped } from './raw.ts'

/** Collections of the kinds that a deploy of the bench applies, below their namespace. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  ConfigMap: 'api/v1|configmaps',
  Deployment: 'apis/apps/v1|deployments',
  NetworkPolicy: 'apis/networking.k8s.io/v1|networkpolicies',
  RoleBinding: 'apis/rbac.authorization.k8s.io/v1|rolebindings',
  Secret: 'api/v1|secrets',
  Service: 'api/v1|services',
  ServiceAccount: 'api/v1|serviceaccounts',
}

/**
 * As the raw applier, without a library: nothing but HTTP requests over connections that stay open.
 */
export class BareApplier {
  readonly #api: ReturnType<typeof createApiClient>

  constructor(kubeconfigPath: string) {
    this.#api = createApiClient(kubeconfigPath)
  }

  /** The named objects, as they would be applied. */
  async objectsOf(keys: readonly KubernetesObject[]): Promise<KubernetesObject[]> {
    const objects: KubernetesObject[] = []
    // Answers of a single read carry their kind.
    for (const key of keys)
      objects.push(stripped((await this.#api.call('GET', `/${pathOf(key)}`)) as KubernetesObject))
    return objects
  }

  /** Applies objects, whose namespace is set, one after another. */
  async apply(objects: readonly KubernetesObject[]): Promise<void> {
    for (const object of objects) {
      const path = `/${pathOf(object)}?fieldManager=bench&force=true`
      await this.#api.call('PATCH', path, object, 'application/apply-patch+yaml')
    }
  }
}

function pathOf({ kind = '', metadata }: KubernetesObject): string {
  const name = metadata?.name ?? ''
  if (kind === 'Namespace') return `api/v1/namespaces/${name}`
  const collection = COLLECTIONS[kind]
  if (collection === undefined) throw new Error(`the bench has no path for ${kind}`)
  return `${collection.replace('|', `/namespaces/${metadata?.namespace}/`)}/${name}`
}
