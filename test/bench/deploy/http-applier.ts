import { createApiClient } from '@slipway/local/kubernetes/client'
import type { KubernetesObject } from '@kubernetes/client-node'

import { withoutServerFields } from './library-applier.ts'

/** The API version and collection of each kind that a deploy of the bench applies. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  ConfigMap: 'api/v1|configmaps',
  Deployment: 'apis/apps/v1|deployments',
  LimitRange: 'api/v1|limitranges',
  NetworkPolicy: 'apis/networking.k8s.io/v1|networkpolicies',
  ResourceQuota: 'api/v1|resourcequotas',
  RoleBinding: 'apis/rbac.authorization.k8s.io/v1|rolebindings',
  Secret: 'api/v1|secrets',
  Service: 'api/v1|services',
  ServiceAccount: 'api/v1|serviceaccounts',
}

/** Applies objects with HTTP requests over keep-alive connections, without the client library. */
export class HttpApplier {
  readonly #api: ReturnType<typeof createApiClient>

  constructor(kubeconfigPath: string) {
    this.#api = createApiClient(kubeconfigPath)
  }

  /** Reads objects in the form in which they can be applied. */
  async objectsOf(keys: readonly KubernetesObject[]): Promise<KubernetesObject[]> {
    const objects: KubernetesObject[] = []
    for (const key of keys) {
      const object = (await this.#api.call('GET', `/${pathOf(key)}`)) as KubernetesObject
      objects.push(withoutServerFields(object))
    }
    return objects
  }

  /** Applies objects one after another. */
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
  if (collection === undefined) throw new Error(`the bench knows no path for ${kind}`)
  return `${collection.replace('|', `/namespaces/${metadata?.namespace}/`)}/${name}`
}
