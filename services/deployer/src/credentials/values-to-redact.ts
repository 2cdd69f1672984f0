import type { DeploymentTemplate } from '@slipway/agent-spec'

import type { KubernetesClient } from '../kubernetes/client.ts'
import { readSecretsIfAllowed } from './read-secrets.ts'
import { secretValuesIn } from './secret-values.ts'

/** Whether the spec declares a credential as a secret; what it doesn't declare is one. */
export function isSecretCredential(template: DeploymentTemplate | undefined, key: string): boolean {
  return template?.credentials[key]?.secret !== false
}

/**
 * Reads the values to redact from the logs and messages of a deployment. Undefined when its Secrets
 * can't be read: nothing of it may be shown then.
 */
export async function readValuesToRedact(
  client: KubernetesClient,
  { namespace, deploymentId }: { readonly namespace: string; readonly deploymentId: string },
  template: DeploymentTemplate | undefined,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const contents = await readSecretsIfAllowed(client, namespace, deploymentId, signal)
  return contents && secretValuesIn(contents, (key) => isSecretCredential(template, key))
}
