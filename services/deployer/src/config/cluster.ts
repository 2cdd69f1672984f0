import type { ConfigReader } from '@slipway/shared/config'

/** How the deployer reaches the cluster, and as whom. */
export interface ClusterConfig {
  /** Undefined: the ServiceAccount of the pod that the process runs in. */
  readonly kubeconfigPath: string | undefined
  readonly requestTimeoutMs: number
  /** Whom the deployer binds the workload role to in each namespace: itself. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string }
  /** ClusterRole with the rights that the deployer needs in the namespaces of deployments. */
  readonly workloadRole: string
}

/** Reads the cluster's part of the configuration. */
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
