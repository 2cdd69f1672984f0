/** The kinds of a component's workload. */
export const WORKLOAD_KINDS: ReadonlySet<string> = new Set([
  'CronJob',
  'Deployment',
  'Job',
  'StatefulSet',
])
