import { createHash } from 'node:crypto'

import type { ResolvedComponent } from '@slipway/agent-spec'

import { nameOf, objectMetadata, type Identity } from './identity.ts'
import type { IngressSettings } from './settings.ts'
import type { Ingress } from './types.ts'
import { workloadName } from './workloads.ts'

const LABEL_LENGTH = 40

/**
 * Returns the host name of an exposed component, unique to its deployment; undefined when the
 * component isn't exposed.
 */
export function exposedHost(
  identity: Identity,
  component: ResolvedComponent,
  settings: IngressSettings,
): string | undefined {
  if (component.expose === undefined || settings.domain === undefined) return undefined
  const name = component.kind === 'ingestion' ? (component.entry ?? component.name) : identity.agent
  const label = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LABEL_LENGTH)
    .replace(/^-+|-+$/g, '')
  const digest = createHash('sha256')
    .update(`${identity.namespace}\0${component.name}`)
    .digest('hex')
    .slice(0, 16)
  return `${label === '' ? digest : `${label}-${digest}`}.${settings.domain}`
}

/** Returns the URL of an exposed host. */
export function exposedUrl(host: string, { scheme, port }: IngressSettings): string {
  return `${scheme}://${host}${port === undefined ? '' : `:${port}`}`
}

/** Renders the Ingress of an exposed component. */
export function renderIngress(
  identity: Identity,
  component: ResolvedComponent,
  host: string,
  { className, scheme, annotations: extra }: IngressSettings,
  tlsSecret: string | undefined,
): Ingress {
  const port = component.expose?.port ?? 0
  const metadata = objectMetadata(identity, nameOf(identity, component), component)
  const hasTls = tlsSecret !== undefined || scheme === 'https'
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...extra } },
    spec: {
      ...(className !== undefined && { ingressClassName: className }),
      ...(hasTls && {
        tls: [{ hosts: [host], ...(tlsSecret !== undefined && { secretName: tlsSecret }) }],
      }),
      rules: [
        {
          host,
          http: {
            paths: [
              {
                path: '/',
                pathType: 'Prefix',
                backend: {
                  service: { name: workloadName(identity, component), port: { number: port } },
                },
              },
            ],
          },
        },
      ],
    },
  }
}
