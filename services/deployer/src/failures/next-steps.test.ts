import { expect, test } from 'vitest'

import { nextSteps, type StepsInput } from './next-steps.ts'

const INPUT: StepsInput = {
  problem: { reason: 'CrashLoopBackOff', message: '', original: '', container: undefined },
  path: 'agent',
  credentialKeys: [],
  logLines: [],
  requests: {},
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

test('names the request that no node has room for, and its amount', () => {
  const requests = { cpu: '64', memory: '256Mi' }
  const [step] = stepsFor('Unschedulable', 'no node has enough free cpu', { requests })
  expect(step).toMatch(/^Lower "agent\.resources\.requests\.cpu" \(now 64\) with an override, /)
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

test.each([
  ['failed, because nothing listens there', 'Let the program listen on port 8080 of 0.0.0.0'],
  ['was answered with 401', 'Let the program answer this path without credentials'],
  ['was answered with 404', 'Make the program answer this check'],
])('says what to do about a check that %s', (outcome, step) => {
  const container = {
    spec: { name: 'agent', ports: [{ containerPort: 8080 }] },
    status: {} as never,
    exitCode: undefined,
    isPreviousLog: false,
  }
  const message = `the startup check (GET /healthz on port 8080) ${outcome}`
  const problem = { reason: 'Unhealthy', message, original: '', container }
  expect(nextSteps({ ...INPUT, problem })[0]).toContain(step)
})

test('offers a rollback while an earlier revision is ready', () => {
  expect(stepsFor('Error', '', { isEarlierReady: true }).at(-1)).toContain('roll back')
})
