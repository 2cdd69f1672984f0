import { createHash, createHmac } from 'node:crypto'

import { objectName, type ComponentKind } from '@slipway/agent-spec'

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

/** The account of all pods of a deployment; it has no rights and its token isn't mounted. */
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
 * Plain variables of a component. Named by its content: a new value is a new object, and restarts
 * who uses it.
 */
export function renderConfigMap(
  identity: Identity,
  component: ComponentRef,
  data: Data,
): ConfigMap {
  const hash = createHash('sha256').update(canonical(data)).digest('hex').slice(0, HASH_LENGTH)
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: objectMetadata(identity, hashedName(identity, component, hash), component),
    immutable: true,
    data: { ...data },
  }
}

/**
 * The name of a component's Secret with this content. An HMAC, so that the name tells nothing of
 * the content to who can't read it.
 */
export function secretName(
  identity: Identity,
  component: ComponentRef,
  data: Data,
  key: Buffer,
): string {
  const content = canonical({
    namespace: identity.namespace,
    kind: component.kind,
    entry: component.entry ?? '',
    data,
  })
  return hashedName(
    identity,
    component,
    createHmac('sha256', key).update(content).digest('hex').slice(0, HASH_LENGTH),
  )
}

/** A Secret that never changes: another value is another Secret. */
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
 * The name of the Secret that holds a store's generated password for as long as its claim lives.
 */
export function passwordSecretName(identity: Identity, kind: ComponentKind, entry: string): string {
  const suffix = '-password'
  return objectName(identity.agent, kind, entry, NAME_LIMIT - suffix.length) + suffix
}

/** The name of the Secret with an ingest token. */
export function telemetrySecretName(identity: Identity, token: string, key: Buffer): string {
  const suffix = `-telemetry-${createHmac('sha256', key).update(`telemetry\0${token}`).digest('hex').slice(0, HASH_LENGTH)}`
  return objectName(identity.agent, 'agent', undefined, NAME_LIMIT - suffix.length) + suffix
}

/** Credentials of a registry, as its own copy in the namespace. */
export function renderPullSecret(
  identity: Identity,
  dockerConfigJson: string,
  key: Buffer,
): Secret {
  const suffix = `-pull-${createHmac('sha256', key).update(`pull\0${dockerConfigJson}`).digest('hex').slice(0, HASH_LENGTH)}`
  const name = objectName(identity.agent, 'agent', undefined, NAME_LIMIT - suffix.length) + suffix
  return {
    ...renderSecret(identity, { kind: 'agent' }, name, { '.dockerconfigjson': dockerConfigJson }),
    type: 'kubernetes.io/dockerconfigjson',
  }
}

/** The operator's certificate, as its own copy in the namespace. */
export function renderTlsSecret(
  identity: Identity,
  { chain, key }: { readonly chain: string; readonly key: string },
  nameKey: Buffer,
): Secret {
  const hash = createHmac('sha256', nameKey)
    .update(`tls\0${chain}\0${key}`)
    .digest('hex')
    .slice(0, HASH_LENGTH)
  const suffix = `-tls-${hash}`
  const name = objectName(identity.agent, 'agent', undefined, NAME_LIMIT - suffix.length) + suffix
  return {
    ...renderSecret(identity, { kind: 'agent' }, name, { 'tls.crt': chain, 'tls.key': key }),
    type: 'kubernetes.io/tls',
  }
}

function hashedName(identity: Identity, component: ComponentRef, hash: string): string {
  return `${nameOf(identity, component, NAME_LIMIT - HASH_LENGTH - 1)}-${hash}`
}
