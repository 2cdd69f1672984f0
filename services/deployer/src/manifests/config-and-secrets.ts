import { createHash, createHmac } from 'node:crypto'

import { objectName, type ComponentKind } from '@slipway/agent-spec'
import type { ServerCertificate } from '@slipway/shared/tls'

import { canonical } from './canonical.ts'
import {
  nameOf,
  objectLabels,
  objectMetadata,
  stableLabels,
  type ComponentRef,
  type Identity,
} from './identity.ts'
import type { ConfigMap, Secret, ServiceAccount } from './types.ts'

const HASH_LENGTH = 12
const NAME_LIMIT = 63

type Data = Readonly<Record<string, string>>

/**
 * Renders the ServiceAccount of a deployment's pods. It has no permissions, and no pod mounts its
 * token.
 */
export function renderServiceAccount(identity: Identity): ServiceAccount {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {
      name: nameOf(identity, { kind: 'agent' }),
      namespace: identity.namespace,
      labels: objectLabels(identity),
    },
    automountServiceAccountToken: false,
  }
}

/**
 * Renders the config map with a component's plain variables. Its name contains a hash of its
 * content, so a changed value results in a new config map and restarts the pods that use it. The
 * id of the deployment, which never changes, isn't in the hash: the plan of a first deploy doesn't
 * know it.
 */
export function renderConfigMap(
  identity: Identity,
  component: ComponentRef,
  data: Data,
): ConfigMap {
  const { deploymentId } = identity
  const known = deploymentId === '' ? canonical(data) : canonical(data).replaceAll(deploymentId, '')
  const hash = createHash('sha256').update(known).digest('hex').slice(0, HASH_LENGTH)
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: objectMetadata(identity, hashedName(identity, component, hash), component),
    immutable: true,
    data: { ...data },
  }
}

/**
 * Returns the name of a component's Secret with this content, which replaces another one if
 * `former` is given. The hash in it is an HMAC, so that the name doesn't reveal the content.
 */
export function secretName(
  identity: Identity,
  component: ComponentRef,
  data: Data,
  { key, former }: { readonly key: Buffer; readonly former?: string | undefined },
): string {
  const content = canonical({
    namespace: identity.namespace,
    kind: component.kind,
    entry: component.entry ?? '',
    data,
    ...(former !== undefined && { former }),
  })
  return hashedName(identity, component, shortHmac(key, content))
}

/** Renders an immutable Secret. A changed value requires a Secret with another name. */
export function renderSecret(
  identity: Identity,
  component: ComponentRef,
  name: string,
  data: Data,
): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace: identity.namespace,
      labels: stableLabels(identity, component),
    },
    immutable: true,
    type: 'Opaque',
    data: Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
    ),
  }
}

/**
 * Returns the name of the Secret with a store's generated password, which exists as long as its
 * claim.
 */
export function passwordSecretName(identity: Identity, kind: ComponentKind, entry: string): string {
  const suffix = '-password'
  return objectName(identity.agent, kind, entry, NAME_LIMIT - suffix.length) + suffix
}

/** Returns the name of the Secret with an ingest token that replaces a Secret, if there was one. */
export function telemetrySecretName(identity: Identity, former: string, key: Buffer): string {
  const content = canonical({ namespace: identity.namespace, former })
  return suffixedName(identity, `-telemetry-${shortHmac(key, `telemetry\0${content}`)}`)
}

/** Credentials for the image of a component. */
export interface PullCredentials {
  /** The file that they are from. */
  readonly source: string
  /** Entries of a `.dockerconfigjson`. */
  readonly auths: Readonly<Record<string, unknown>>
}

/**
 * Renders a Secret with credentials for images. Its name depends only on the keys, so renewed
 * credentials change the Secret and restart no pods.
 */
export function renderPullSecret(
  identity: Identity,
  { source, auths }: PullCredentials,
  key: Buffer,
): Secret {
  const content = canonical({ source, keys: Object.keys(auths) })
  const name = suffixedName(identity, `-pull-${shortHmac(key, `pull\0${content}`)}`)
  const config = JSON.stringify({ auths })
  const { immutable: _, ...secret } = renderSecret(identity, { kind: 'agent' }, name, {
    '.dockerconfigjson': config,
  })
  return { ...secret, type: 'kubernetes.io/dockerconfigjson' }
}

/** Renders the deployment's copy of the operator's TLS certificate. */
export function renderTlsSecret(
  identity: Identity,
  { chain, key }: ServerCertificate,
  nameKey: Buffer,
): Secret {
  const name = suffixedName(identity, `-tls-${shortHmac(nameKey, `tls\0${chain}\0${key}`)}`)
  return {
    ...renderSecret(identity, { kind: 'agent' }, name, { 'tls.crt': chain, 'tls.key': key }),
    type: 'kubernetes.io/tls',
  }
}

function shortHmac(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex').slice(0, HASH_LENGTH)
}

function suffixedName(identity: Identity, suffix: string): string {
  return objectName(identity.agent, 'agent', undefined, NAME_LIMIT - suffix.length) + suffix
}

function hashedName(identity: Identity, component: ComponentRef, hash: string): string {
  return `${nameOf(identity, component, NAME_LIMIT - HASH_LENGTH - 1)}-${hash}`
}
