const NAMESPACE = 'agent-support-agent-1718d1d36a'
const ALICE = '5f0c7a5e-3c1b-4f3e-9d0a-2f8f4f9b6c11'
const DEPLOYMENT = '7d1f0c52-9b3e-4b7c-a1d8-6e5f4c3b2a19'
const DEPLOYED_AT = '2026-11-20T09:05:00.000Z'
const POD = 'support-agent-agent-6d5f8c7b9-x2k4p'
const REASON = 'CrashLoopBackOff: the container exited with code 1'

const build = { name: 'support-agent', build_id: 'b1a4dac0d2f4' }
const chosen = { ...build, version: '1.0.0', build_choice: 'newest build' }
const endpoint = {
  name: 'support-agent-agent',
  url: `http://support-agent-agent.${NAMESPACE}.svc:8080`,
  type: 'http',
}
const component = {
  name: 'agent',
  kind: 'agent',
  state: 'ready',
  pod_count: 1,
  ready_pod_count: 1,
}
const deployment = {
  name: 'support-agent',
  state: 'ready',
  revision: 1,
  build_id: 'b1a4dac0d2f4',
  version: '1.0.0',
  k8s_namespace: NAMESPACE,
  deployed_at: DEPLOYED_AT,
  deployed_by: ALICE,
}

const failure = {
  component: 'agent',
  pod: POD,
  container: 'agent',
  restarts: 2,
  exit_code: 1,
  reason: 'CrashLoopBackOff',
  message: 'the container exited with code 1',
  since: DEPLOYED_AT,
  log_lines: ['the service refused SUPPORT_API_TOKEN [redacted]: 401 Unauthorized'],
  log_url: `/api/v1/deployments/${NAMESPACE}/logs?account=alice&pod=${POD}&container=agent`,
  next: ['Read the log of the container, and register a build that starts.'],
}

export const deployExample = {
  account: 'alice',
  name: 'support-agent',
  user_credentials: { SUPPORT_API_TOKEN: 'the token' },
  overrides: { 'agent.replicas': 2 },
}

export const deployedExample = {
  status: 'success',
  ...chosen,
  k8s_namespace: NAMESPACE,
  deployed_at: DEPLOYED_AT,
  revision: 1,
  resources: [
    {
      kind: 'Deployment',
      name: 'support-agent-agent',
      namespace: NAMESPACE,
      status: 'created',
    },
  ],
  service_endpoints: [endpoint],
  errors: [],
  images: { agent: '127.0.0.1:5000/support-agent:b1a4dac0d2f4' },
  rollout: { state: 'ready', components: [{ name: 'agent', state: 'ready' }] },
}

export const partialExample = {
  ...deployedExample,
  status: 'partial',
  errors: [`agent: ${REASON}`],
  rollout: {
    state: 'failed',
    reason: REASON,
    components: [{ name: 'agent', state: 'failed', reason: REASON }],
    failures: [failure],
  },
}

export const validExample = { valid: true, ...chosen }

export const undeployExample = { account: 'alice', name: 'support-agent' }

export const undeployedExample = {
  status: 'success',
  ...build,
  k8s_namespace: NAMESPACE,
  undeployed_at: '2026-11-21T17:00:00.000Z',
}

export const deploymentExample = {
  ...deployment,
  components: [
    {
      ...component,
      pods: [
        {
          name: POD,
          phase: 'Running',
          ready: true,
          restarts: 1,
          last_exit: { reason: 'OOMKilled', exit_code: 137, time: '2026-11-22T12:00:00.000Z' },
        },
      ],
    },
  ],
  service_endpoints: [endpoint],
}

export const deploymentListExample = {
  deployments: [{ ...deployment, components: [component], service_endpoints: [endpoint] }],
  count: 1,
}

const revision = {
  revision: 1,
  state: 'applied',
  build_id: 'b1a4dac0d2f4',
  created_at: DEPLOYED_AT,
  created_by: ALICE,
  errors: [],
  live: true,
  restorable: false,
  was_ready: true,
}

export const revisionExample = {
  ...revision,
  settings: { interfaces: [], schedules: {}, overrides: {}, credentials: [] },
}

export const revisionListExample = { revisions: [revision], count: 1 }

export const rollbackExample = { revision: 1 }

export const rotatedExample = {
  message: 'ingest token rotated',
  rotated_at: '2026-11-21T12:00:00.000Z',
  former_token_expires_at: '2026-11-21T13:00:00.000Z',
}

export const eventsExample = [
  `id: ${DEPLOYMENT}:3`,
  'event: state_changed',
  'data: {"type":"state_changed","time":"2026-11-20T09:05:05.000Z","revision":1,' +
    '"build_id":"b1a4dac0d2f4","state":"ready"}',
  '',
  '',
].join('\n')

export const logExample = '{"event":"agent_started","level":"info"}\n'

export const agentLogExample =
  `2026-11-20T09:05:01.120394Z ${POD}[agent] {"event":"agent_started","level":"info"}\n` +
  `2026-11-20T09:05:02.000000Z ${POD} event Unhealthy: Readiness probe failed: …\n`

export const configMapExample = {
  name: 'support-agent-agent',
  namespace: NAMESPACE,
  data: { LOG_LEVEL: 'info' },
}

export const restartedExample = {
  status: 'restarting',
  pod: 'support-agent-agent-6d5f8c7b9-x2k4p',
}

export const triggeredExample = {
  status: 'triggered',
  job_name: 'support-agent-docs-4k2jx',
  namespace: NAMESPACE,
}
