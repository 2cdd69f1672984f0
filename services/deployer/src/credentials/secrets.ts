import { createHash, randomBytes } from 'node:crypto'

import {
  storesWithPassword,
  telemetryHeadersVariable,
  type ComponentKind,
  type DeploymentTemplate,
  type ResolvedComponent,
  type TemplateSettings,
} from '@slipway/agent-spec'

import type { KubernetesObject } from '../domain/kubernetes-object.ts'
import { DEPLOYMENT_LABEL } from '../domain/labels.ts'
import type { SecretPlan } from '../domain/secret-plan.ts'
import type { KubernetesClient } from '../kubernetes/client.ts'
import { isKubernetesStatus } from '../kubernetes/kubernetes-error.ts'
import { listObjects } from '../kubernetes/read.ts'
import {
  passwordSecretName,
  secretName,
  telemetrySecretName,
} from '../manifests/config-and-secrets.ts'
import type { ComponentRef, Identity } from '../manifests/identity.ts'

/** The key of a generated password in its Secret. */
export const PASSWORD_KEY = 'password'

/** What a loss of values means: to the next deploy, or to a revision that was to come back. */
export type LossReason = 'credentials_lost' | 'revision_not_restorable'

/** Content of Secrets by name. In memory only, for as long as an apply takes. */
export type SecretContents = ReadonlyMap<string, Readonly<Record<string, string>>>

/** A Secret that an apply makes. */
export interface PlannedSecret {
  /** Component that it belongs to; empty for one of the deployment as a whole. */
  readonly component: string
  readonly ref: ComponentRef
  readonly name: string
  readonly data: Readonly<Record<string, string>>
}

/** The Secrets of a deployment that the cluster has. */
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

/** As readSecrets; undefined where the rights, or the namespace, are gone. */
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

/**
 * Plans a Secret for each component that has secret variables, and notes where each credential can
 * be read again.
 */
export function planSecrets(
  identity: Identity,
  components: readonly ResolvedComponent[],
  credentials: Readonly<Record<string, string>>,
  nameKey: Buffer,
): { secrets: PlannedSecret[]; plan: SecretPlan } {
  const data = new Map(components.map(({ name, environment }) => [name, { ...environment.secret }]))
  const found = Object.entries(credentials).map(
    ([key, value]) => [key, findSource(key, value, components, data)] as const,
  )
  const secrets: PlannedSecret[] = []
  for (const component of components) {
    const content = data.get(component.name) ?? {}
    if (Object.keys(content).length === 0) continue
    const name = secretName(identity, component, content, nameKey)
    secrets.push({ component: component.name, ref: component, name, data: content })
  }
  const nameOfRole = new Map(secrets.map(({ component, name }) => [component, name]))
  return {
    secrets,
    plan: {
      roles: Object.fromEntries(
        secrets.map(({ component, name, data: content }) => [
          component,
          { secret: name, keys: Object.keys(content).sort() },
        ]),
      ),
      sources: Object.fromEntries(
        found.map(([key, { component, dataKey }]) => [
          key,
          { secret: nameOfRole.get(component) ?? '', key: dataKey },
        ]),
      ),
    },
  }
}

/**
 * Where a credential's value stands as it is: in a variable of its own name, or of any other. One
 * that is only part of other values is put beside them, in the Secret of the component that has
 * them, under a key that no variable reads.
 */
function findSource(
  key: string,
  value: string,
  components: readonly ResolvedComponent[],
  data: ReadonlyMap<string, Record<string, string>>,
): { component: string; dataKey: string } {
  for (const { name, environment } of components) {
    if (Object.hasOwn(environment.secret, key) && environment.secret[key] === value) {
      return { component: name, dataKey: key }
    }
  }
  for (const { name, environment } of components) {
    const same = Object.entries(environment.secret).find(([, text]) => text === value)
    if (same) return { component: name, dataKey: same[0] }
  }
  const user = components.find(({ environment }) =>
    Object.values(environment.secret).some((text) => text.includes(value)),
  )
  const component = user?.name ?? 'agent'
  const dataKey = `credential.${key}`
  const content = data.get(component)
  if (content) content[dataKey] = value
  return { component, dataKey }
}

/**
 * The generated passwords of the stores that need one: those that the cluster has, new ones for new
 * stores.
 */
export function storePasswords(
  identity: Identity,
  template: DeploymentTemplate,
  settings: TemplateSettings,
  contents: SecretContents,
): { passwords: Record<string, string>; secrets: PlannedSecret[] } {
  const secrets: PlannedSecret[] = []
  const passwords: [string, string][] = []
  for (const store of storesWithPassword(template, settings)) {
    const { kind, entry } = refOfStore(store)
    const name = passwordSecretName(identity, kind, entry)
    const password = contents.get(name)?.[PASSWORD_KEY] ?? randomBytes(24).toString('base64url')
    passwords.push([store, password])
    secrets.push({ component: '', ref: { kind, entry }, name, data: { [PASSWORD_KEY]: password } })
  }
  return { passwords: Object.fromEntries(passwords), secrets }
}

/** The component that a store's path in the template, `knowledge.docs`, stands for. */
export function refOfStore(store: string): {
  readonly kind: ComponentKind
  readonly entry: string
} {
  const kind = store.startsWith('models.')
    ? 'model'
    : store.startsWith('tools.')
      ? 'tool'
      : 'knowledge'
  return { kind, entry: store.slice(store.indexOf('.') + 1) }
}

/** An ingest token with the Secret that brings it to the agent. */
export interface TelemetrySecret {
  readonly secret: PlannedSecret
  readonly tokenSha256: Buffer
}

/** Makes a new ingest token. */
export function newTelemetrySecret(identity: Identity, nameKey: Buffer): TelemetrySecret {
  const token = randomBytes(32).toString('base64url')
  const name = telemetrySecretName(identity, token, nameKey)
  return {
    tokenSha256: createHash('sha256').update(token).digest(),
    // The value is percent-encoded, as the OTLP specification wants headers to be.
    secret: {
      component: '',
      ref: { kind: 'agent' },
      name,
      data: { [telemetryHeadersVariable]: `authorization=Bearer%20${token}` },
    },
  }
}

function decode(data: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  )
}
