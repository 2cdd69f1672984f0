import type { KubernetesObject } from '../domain/kubernetes-object.ts'
import { DEPLOYMENT_LABEL } from '../domain/labels.ts'
import type { KubernetesClient } from '../kubernetes/client.ts'
import { isKubernetesStatus } from '../kubernetes/kubernetes-error.ts'
import { listObjects } from '../kubernetes/read.ts'

/** Contents of Secrets by name. Kept in memory only, and only while an apply runs. */
export type SecretContents = ReadonlyMap<string, Readonly<Record<string, string>>>

/** Reads a deployment's Secrets from the cluster. */
export async function readSecrets(
  client: KubernetesClient,
  namespace: string,
  deploymentId: string,
  signal?: AbortSignal,
): Promise<SecretContents> {
  const { items } = await listObjects<KubernetesObject & { data?: Record<string, string> }>(
    client,
    {
      apiVersion: 'v1',
      kind: 'Secret',
      namespace,
      labels: { [DEPLOYMENT_LABEL]: deploymentId },
      ...(signal && { signal }),
    },
  )
  return new Map(items.map(({ metadata, data }) => [metadata.name, decode(data ?? {})]))
}

/** Like readSecrets, but undefined when the namespace or the permissions in it no longer exist. */
export async function readSecretsIfAllowed(
  ...query: Parameters<typeof readSecrets>
): Promise<SecretContents | undefined> {
  try {
    return await readSecrets(...query)
  } catch (error) {
    if (isKubernetesStatus(error, 403) || isKubernetesStatus(error, 404)) return undefined
    throw error
  }
}

function decode(data: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  )
}
