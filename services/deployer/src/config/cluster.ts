import type { ConfigReader } from '@slipway/shared/config'

/** The deployer's connection to the cluster and its identity there. */
export interface ClusterConfig {
  /** Undefined means the ServiceAccount of the pod that the deployer runs in. */
  readonly kubeconfigPath: string | undefined
  readonly requestTimeoutMs: number
  /** The name of this Slipway in the cluster, with which it labels its namespaces. */
  readonly release: string
  /** The deployer's own ServiceAccount, to which it binds the workload role in each namespace. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string }
  /** The ClusterRole with the deployer's permissions in the namespaces of deployments. */
  readonly workloadRole: string
}

/** Reads the configuration of the cluster. */
export function readClusterConfig(reader: ConfigReader): ClusterConfig {
  return Object.freeze({
    kubeconfigPath: reader.optional('KUBECONFIG'),
    requestTimeoutMs: reader.integer('KUBERNETES_TIMEOUT_MS', 10_000, { min: 100, max: 60_000 }),
    release: readLabelValue(reader, 'RELEASE_NAME', 'slipway-system-slipway'),
    serviceAccount: Object.freeze({
      namespace: reader.string('SERVICE_ACCOUNT_NAMESPACE', 'slipway-system'),
      name: reader.string('SERVICE_ACCOUNT_NAME', 'slipway-deployer'),
    }),
    workloadRole: reader.string('WORKLOAD_CLUSTER_ROLE', 'slipway-deployer-workloads'),
  })
}

function readLabelValue(reader: ConfigReader, name: string, fallback: string): string {
  const value = reader.string(name, fallback)
  if (!/^[a-z0-9]([-a-z0-9_.]{0,61}[a-z0-9])?$/i.test(value))
    reader.report(`${name}: must be the value of a label: at most 63 letters, digits, - _ and .`)
  return value
}
