/** Short names of the limits; the API describes them in full. */
const NAMES: Readonly<Record<string, string>> = {
  agents: 'Agents',
  builds: 'Builds',
  catalog_bytes: 'Stored builds',
  members: 'Members',
  machine_tokens: 'Machine tokens',
  deployments: 'Deployments',
  pods: 'Replicas',
  cpu: 'CPU limits',
  memory_bytes: 'Memory limits',
  storage_bytes: 'Volumes',
  config_bytes: 'Variables and credentials',
  gpus: 'GPUs',
  ingestion_runs: 'Ingestions by hand',
  spans_per_day: 'Spans and logs today',
}

/** The short name of a limit; one that a newer server has is shown as it is. */
export function limitName(name: string): string {
  return NAMES[name] ?? name
}
