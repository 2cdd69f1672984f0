import { componentName, storesWithPassword, type DeploymentTemplate } from '@slipway/agent-spec'
import { FailedPrecondition } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import type { LossReason } from '../credentials/credential-values.ts'
import {
  readSecrets,
  readSecretsIfAllowed,
  type SecretContents,
} from '../credentials/read-secrets.ts'
import { PASSWORD_KEY, refOfStore } from '../credentials/store-passwords.ts'
import type { DeploymentRow } from '../db/deployments.ts'
import type { RevisionRow } from '../db/revisions.ts'
import { COMPONENT_LABEL, DEPLOYMENT_LABEL } from '../domain/labels.ts'
import { isKubernetesStatus } from '../kubernetes/kubernetes-error.ts'
import { listObjects } from '../kubernetes/read.ts'
import { awaitRights, grantRights, hasRights, renderRoleBinding } from '../kubernetes/rights.ts'
import { passwordSecretName } from '../manifests/config-and-secrets.ts'
import { stableLabels, type Identity } from '../manifests/identity.ts'
import { resolveComponents } from './resolve-components.ts'

const MARKER = 'the generated password'

/** The Secrets to read, and the template to read them for. */
export interface StoredSecretsQuery {
  readonly deployment: DeploymentRow
  /** The revision whose plan locates the values; undefined when none was ever applied. */
  readonly revision: RevisionRow | undefined
  /** The template to compose with the Secrets. */
  readonly template: DeploymentTemplate
  readonly identity: Identity
  readonly reason: LossReason
  readonly signal?: AbortSignal
}

/**
 * Reads a deployment's Secrets from the cluster; first restores the deployer's permissions if they
 * were removed. If the Secret with a store's generated password was deleted, the password is read
 * from the Secret that the store's pods use. Throws FailedPrecondition with `reason` if that was
 * deleted too and the store has a volume, because its data is inaccessible without the password.
 */
export async function readStoredSecrets(
  context: DeployerContext,
  query: StoredSecretsQuery,
  known?: SecretContents,
): Promise<SecretContents> {
  const contents = known ?? (await readWithRights(context, query))
  if (contents === undefined) return new Map()
  const found = new Map(contents)
  for (const store of storesWithPassword(query.template, context.config.workloads.template)) {
    const { kind, entry } = refOfStore(store)
    const name = passwordSecretName(query.identity, kind, entry)
    if (contents.get(name)?.[PASSWORD_KEY] !== undefined) continue
    const password = passwordInUse(context, query, contents, store)
    if (password !== undefined) found.set(name, { [PASSWORD_KEY]: password })
    else if (await hasVolumeClaim(context, query, componentName(kind, entry)))
      throw passwordLost(query, store, name)
  }
  return found
}

/** Undefined when the namespace doesn't exist, is terminating, or has lost its labels. */
async function readWithRights(
  { kubernetes, config }: DeployerContext,
  { deployment: { id, k8s_namespace: namespace }, identity, signal }: StoredSecretsQuery,
): Promise<SecretContents | undefined> {
  const contents = await readSecretsIfAllowed(kubernetes, namespace, id, signal)
  if (contents !== undefined) return contents
  try {
    const binding = renderRoleBinding(namespace, stableLabels(identity), config.cluster)
    if (!(await hasRights(kubernetes, binding, signal)))
      await grantRights(kubernetes, binding, signal)
  } catch (error) {
    if (isKubernetesStatus(error, 403) || isKubernetesStatus(error, 404)) return undefined
    throw error
  }
  // The binding may exist but not be in effect yet.
  await awaitRights(kubernetes, namespace, signal)
  return await readSecrets(kubernetes, namespace, id, signal)
}

/**
 * Returns the password from the Secret of the store's pods. Resolving the template with a marker as
 * the password shows which variable contains it.
 */
function passwordInUse(
  context: DeployerContext,
  { revision, template, identity }: StoredSecretsQuery,
  contents: SecretContents,
  store: string,
): string | undefined {
  const { kind, entry } = refOfStore(store)
  const role = revision?.secrets.roles[componentName(kind, entry)]
  const data = role && contents.get(role.secret)
  if (data === undefined) return undefined
  const component = resolveComponents(context, identity, template, {}, { [store]: MARKER }).find(
    (each) => each.kind === kind && each.entry === entry,
  )
  const variable = Object.entries(component?.environment.secret ?? {}).find(
    ([, value]) => value === MARKER,
  )?.[0]
  return variable === undefined ? undefined : data[variable]
}

async function hasVolumeClaim(
  { kubernetes }: DeployerContext,
  { deployment: { id, k8s_namespace: namespace }, signal }: StoredSecretsQuery,
  component: string,
): Promise<boolean> {
  const { items } = await listObjects(kubernetes, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    namespace,
    labels: { [DEPLOYMENT_LABEL]: id, [COMPONENT_LABEL]: component },
    ...(signal && { signal }),
  })
  return items.length > 0
}

function passwordLost(
  { reason }: StoredSecretsQuery,
  store: string,
  secret: string,
): FailedPrecondition {
  return new FailedPrecondition(
    reason,
    `the generated password of ${store} was deleted, and its volume can't be read without it; ` +
      `restore the Secret ${secret}, or undeploy the agent, which deletes the data`,
    { metadata: { keys: store } },
  )
}
