import type { ConfigReader } from '@slipway/shared/config'

/** The deployer's connection to the cluster and its identity there. */
export interface ClusterConfig {
  /** Undefined means the ServiceAccount of the pod that the deployer runs in. */
  readonly kubeconfigPath: string | undefined
  readonly requestTimeoutMs: number
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
    serviceAccount: Object.freeze({
      namespace: reader.string('SERVICE_ACCOUNT_NAMESPACE', 'slipway-system'),
      name: reader.string('SERVICE_ACCOUNT_NAME', 'slipway-deployer'),
    }),
    workloadRole: reader.string('WORKLOAD_CLUSTER_ROLE', 'slipway-deployer-workloads'),
  })
}
