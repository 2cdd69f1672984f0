/** The agent that a deployment runs, from the deployment's latest event. */
export interface DeploymentTable {
  deployment_id: string
  account_id: string
  agent: string
  build_id: string
  revision: number
  k8s_namespace: string
  /** False once an undeploy has been accepted. */
  is_live: boolean
}

/** The tables in Postgres; traces are in ClickHouse. */
export interface ObservabilitySchema {
  deployment: DeploymentTable
}
