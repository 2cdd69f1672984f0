import { expect, test } from 'vitest'

import { nextSteps, stepsFromLog, type StepsInput } from './next-steps.ts'

const INPUT: StepsInput = {
  problem: { reason: 'CrashLoopBackOff', message: '', original: '', container: undefined },
  path: 'agent',
  credentialKeys: [],
  logLines: [],
  requests: {},
  limits: { 'ephemeral-storage': '10Gi' },
  isEarlierReady: false,
}

function stepsFor(reason: string, message: string, more: Partial<StepsInput> = {}): string[] {
  const problem = { reason, message, original: '', container: undefined }
  return nextSteps({ ...INPUT, problem, ...more })
}

test.each([
  'permission denied, token expired or revoked',
  'API key is invalid',
  'the credentials were rejected',
  'Unauthorized',
])('suspects a credential if the log says: %s', (line) => {
  const [step] = stepsFor('Unhealthy', 'the startup check was answered with 503', {
    credentialKeys: ['DOOR_KEY'],
    logLines: [line],
  })
  expect(step).toBe(
    'The log mentions a refusal. If it is about DOOR_KEY, deploy again with another value in ' +
      '`user_credentials`.',
  )
})

test('takes a file that the program may not write for no refused credential', () => {
  const logLines = ["PermissionError: [Errno 13] Permission denied: '/var/cache/a.db'"]
  const steps = stepsFor('CrashLoopBackOff', '', { credentialKeys: ['DOOR_KEY'], logLines })
  expect(steps.join(' ')).not.toContain('DOOR_KEY')
})

test('names the request that no node has room for, and its amount', () => {
  const requests = { cpu: '64', memory: '256Mi' }
  const [step] = stepsFor('Unschedulable', 'no node has enough free cpu', { requests })
  expect(step).toMatch(/^Lower "agent\.resources\.requests\.cpu" \(now 64\) with an override, /)
})

const BUSY = '1 Insufficient cpu. preemption: 0/1 nodes are available: 1 '

test.each([
  ['No preemption victims found for incoming pod.', 'undeploy agents that you no longer need'],
  ['Preemption is not helpful for scheduling.', 'no node is that large, so undeploying agents'],
])('does not advise to make room on nodes that are too small: %s', (preemption, advice) => {
  const original = `0/1 nodes are available: ${BUSY}${preemption}`
  const problem = {
    reason: 'Unschedulable',
    message: 'no node has enough free cpu',
    original,
    container: undefined,
  }
  const [step, ...others] = nextSteps({ ...INPUT, problem, requests: { cpu: '64' } })
  expect(others).toEqual([])
  expect(step).toContain('Lower "agent.resources.requests.cpu" (now 64) with an override')
  expect(step).toContain(advice)
})

test('does not advise to lower what a pod requests if it waits for its volume', () => {
  const original = '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.'
  const problem = { reason: 'Unschedulable', message: '', original, container: undefined }
  expect(nextSteps({ ...INPUT, problem, requests: { cpu: '1' } })).toEqual([
    expect.stringContaining('the storage class'),
  ])
})

test('says how a program that ends without an error keeps running', () => {
  const message = 'the container exited with code 0, but must keep running'
  expect(stepsFor('CrashLoopBackOff', message)).toEqual([
    'Make the program keep running: keep its server listening. Its log may say why it ended.',
    'For work that ends, use an ingestion.',
  ])
})

test('advises to check the registry if it may not exist', () => {
  const message = 'the image was not found: there may be no such registry'
  expect(stepsFor('ErrImagePull', message)[0]).toContain('check the name of the registry')
  expect(stepsFor('ErrImagePull', 'the registry has no such image')[0]).not.toContain('name of')
})

test('recognizes a runtime that got no more memory', () => {
  const logLines = ['FATAL ERROR: Reached heap limit - JavaScript heap out of memory']
  const [step] = stepsFor('CrashLoopBackOff', 'the container exited with code 139', { logLines })
  expect(step).toContain(
    'Deploy with a higher limit: "overrides": {"agent.resources.limits.memory"',
  )
})

test('says how to repair a run of an ingestion', () => {
  const [step] = stepsFor('Error', 'the container exited with code 1', { path: 'ingestion.docs' })
  expect(step).toBe('Read the log of the run, deploy a build that repairs it, and start a run.')
})

const OVERRIDE = '{"agent.healthcheck": {"path": "PATH"}}'

test.each([
  [
    'failed, because nothing listens there',
    'Let the program listen on port 8080 of 0.0.0.0',
    false,
  ],
  ['was answered with 401', 'Let the program answer this path without credentials', true],
  ['was answered with 404', 'Make the program answer this check', true],
])('says what to do about a check that %s', (outcome, step, hasOtherPath) => {
  const container = {
    spec: { name: 'agent', ports: [{ containerPort: 8080 }] },
    status: {} as never,
    exitCode: undefined,
    isPreviousLog: false,
  }
  const message = `the startup check (GET /healthz on port 8080) ${outcome}`
  const problem = { reason: 'Unhealthy', message, original: '', container }
  const steps = nextSteps({ ...INPUT, problem })
  expect(steps[0]).toContain(step)
  expect(steps.some((each) => each.includes(OVERRIDE))).toBe(hasOtherPath)
})

const LISTENS = 'failed, because nothing listens there'

test.each([
  ['listening on 9090', 'the program listens on port 9090, but the spec says port 8080'],
  ['Running on http://127.0.0.1:8080', 'listens on 127.0.0.1, which nothing outside'],
])('uses what the log says about the port: %s', (line, step) => {
  const container = {
    spec: { name: 'agent', ports: [{ containerPort: 8080 }] },
    status: {} as never,
    exitCode: undefined,
    isPreviousLog: false,
  }
  const message = `the startup check (GET /healthz on port 8080) ${LISTENS}`
  const problem = { reason: 'Unhealthy', message, original: '', container }
  const steps = nextSteps({ ...INPUT, problem, logLines: ['starting', line] })
  expect(steps).toEqual([expect.stringContaining(step)])
  expect(stepsFromLog({ ...INPUT, problem, logLines: ['starting', line] })).toEqual(steps)
  expect(stepsFromLog({ ...INPUT, problem, logLines: ['starting'] })).toEqual([])
})

test('does not say that a program which still starts listens wrongly', () => {
  const container = {
    spec: {
      name: 'agent',
      ports: [{ containerPort: 8080 }],
      startupProbe: { failureThreshold: 300, periodSeconds: 1 },
    },
    status: { restartCount: 0 } as never,
    exitCode: undefined,
    isPreviousLog: false,
  }
  const message = `the startup check (GET /healthz on port 8080) ${LISTENS}`
  const problem = { reason: 'Unhealthy', message, original: '', container }
  const [step] = nextSteps({ ...INPUT, problem, logLines: ['loading the index'] })
  expect(step).toMatch(/^The log names no port, so the program may still start; it has 5 minutes/)
  expect(step).toContain('If it has started, let it listen on port 8080 of 0.0.0.0')
})

test('gives no general advice where the log says what is missing', () => {
  expect(stepsFor('CrashLoopBackOff', '', { logSteps: ['Add it.'] })).toEqual(['Add it.'])
  const problem = { reason: 'CrashLoopBackOff', message: '', original: '', container: undefined }
  // A refusal in the log may be about something else than a credential.
  const refused = { logLines: ['got 401'], credentialKeys: ['A_KEY'] }
  const input = { ...INPUT, ...refused, problem, logSteps: ['Add it.'] }
  expect(stepsFromLog(input)).toEqual(['Add it.'])
})

test('distinguishes a crash of the start from a later one, and from a full disk', () => {
  const run = (seconds: number) => {
    const terminated = { startedAt: new Date(0), finishedAt: new Date(seconds * 1000), exitCode: 1 }
    const status = { lastState: { terminated } } as never
    const container = { spec: undefined, status, exitCode: 1, isPreviousLog: true }
    return { reason: 'CrashLoopBackOff', message: '', original: '', container }
  }
  const steps = (seconds: number) => nextSteps({ ...INPUT, problem: run(seconds) })[0]
  expect(steps(2)).toContain('register a build that starts')
  expect(steps(90)).toContain('had started, and ended later')
  const logLines = ["Error: ENOSPC: no space left on device, write '/data/x'"]
  expect(nextSteps({ ...INPUT, problem: run(90), logLines })[0]).toContain(
    'no space left (it has 10Gi besides its volumes)',
  )
  expect(stepsFor('Evicted', '')[0]).toContain('(it has 10Gi besides its volumes), or use a volume')
})

test('offers a rollback while an earlier revision is ready', () => {
  expect(stepsFor('Error', '', { isEarlierReady: true }).at(-1)).toContain('roll back')
})
