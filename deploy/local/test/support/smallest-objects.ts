/** Fields of an object. */
export type Fields = Readonly<Record<string, unknown>>

/** Fields of one type in the smallest object that a deploy may make. */
export interface Level {
  readonly make: (fields: Fields) => object
  readonly collection?: string
  /** Fields that deploys need. */
  readonly allowed: readonly string[]
  /**
   * Valid values where the ones of the schema are not, with further fields that they need; a
   * function returns the whole object.
   */
  readonly samples?: Readonly<Record<string, Fields | (() => object)>>
}

const labels = { 'app.kubernetes.io/instance': 'tried' }
/** The selector of pods. */
export const selector = { matchLabels: labels }
/** The security context of a container. */
export const containerSecurity = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
}
/** The smallest container. */
export const container = { name: 'agent', image: 'example', securityContext: containerSecurity }
/** The security context of a pod. */
export const podSecurity = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }

/** A Deployment whose pods have these fields. */
export function deployment(pod: Fields) {
  const spec = {
    automountServiceAccountToken: false,
    securityContext: podSecurity,
    containers: [container],
    ...pod,
  }
  const template = { metadata: { labels }, spec }
  const metadata = { name: 'tried', labels }
  return { apiVersion: 'apps/v1', metadata, spec: { replicas: 0, selector, template } }
}

/** A Deployment whose container has these fields. */
export const withContainer = (fields: Fields) =>
  deployment({ containers: [{ ...container, ...fields }] })
/** A Deployment whose container has a probe with these fields. */
export const withProbe = (fields: Fields) => withContainer({ livenessProbe: fields })

/** A stateful set whose claim has these fields. */
export function claimingSet(fields: Fields) {
  const { spec, ...rest } = deployment({})
  const claim = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    ...fields,
  }
  const volumeClaimTemplates = [{ metadata: { name: 'data', labels }, spec: claim }]
  return { ...rest, spec: { ...spec, serviceName: 'tried', volumeClaimTemplates } }
}

/** A Service with these fields. */
export function service(fields: Fields) {
  const spec = { selector: labels, ports: [{ port: 80 }], ...fields }
  return { apiVersion: 'v1', metadata: { name: 'tried', labels }, spec }
}
