/** Which agent a deployment runs, as its last event told. */
export interface DeploymentTable {
  deployment_id: string
  account_id: string
  agent: string
  build_id: string
  revision: number
  k8s_namespace: string
  /** False once an undeploy was accepted. */
  is_live: boolean
}

/** The tables of observability's Postgres; traces are in ClickHouse. */
export interface ObservabilitySchema {
  deployment: DeploymentTable
}
