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

/** How many spans an account has stored on a day (UTC). */
export interface SpanUsageTable {
  account_id: string
  day: string
  spans: number
}

/** The tables in Postgres; traces are in ClickHouse. */
export interface ObservabilitySchema {
  deployment: DeploymentTable
  span_usage: SpanUsageTable
}
