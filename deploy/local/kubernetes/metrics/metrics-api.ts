import type { ApiClient } from '../client.ts'
import { addresses, ports } from '../layout.ts'

const NAMESPACE = 'kube-system'
const SERVICE = 'metrics-server'

/** The name in metrics-server's certificate: that of its Service, as the API server calls it. */
export const METRICS_HOST = `${SERVICE}.${NAMESPACE}.svc`

/**
 * Lets the API server forward metrics.k8s.io to metrics-server. Until metrics-server answers, this
 * would hold up the deletion of namespaces, so it must run already. `authority` is the PEM text of
 * the authority that has signed its certificate.
 */
export async function registerMetricsApi(client: ApiClient, authority: string): Promise<void> {
  for (const [path, object] of metricsObjects(authority)) {
    const options = 'fieldManager=slipway-local&force=true'
    await client.call('PATCH', `${path}?${options}`, object, 'application/apply-patch+yaml')
  }
}

function metricsObjects(authority: string): readonly (readonly [path: string, object: object])[] {
  const metadata = { name: SERVICE, namespace: NAMESPACE }
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { ports: [{ name: 'https', port: 443, targetPort: ports.metrics }] },
  }
  const endpoints = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...metadata, labels: { 'kubernetes.io/service-name': SERVICE } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [addresses.node] }],
    ports: [{ name: 'https', port: ports.metrics, protocol: 'TCP' }],
  }
  const group = 'metrics.k8s.io'
  const version = 'v1beta1'
  const api = {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `${version}.${group}` },
    spec: {
      service: { ...metadata, port: 443 },
      group,
      version,
      caBundle: Buffer.from(authority).toString('base64'),
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
  }
  return [
    [`/api/v1/namespaces/${NAMESPACE}/services/${SERVICE}`, service],
    [`/apis/discovery.k8s.io/v1/namespaces/${NAMESPACE}/endpointslices/${SERVICE}`, endpoints],
    [`/apis/apiregistration.k8s.io/v1/apiservices/${version}.${group}`, api],
  ]
}
