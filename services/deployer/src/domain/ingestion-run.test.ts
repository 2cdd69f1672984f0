import { expect, test } from 'vitest'

import { observeRun, type RunJob, type RunPod } from './ingestion-run.ts'

const JOB: RunJob = {
  uid: 'u',
  name: 'run',
  component: 'ingestion-docs',
  trigger: 'schedule',
  createdAt: 1,
  endedAt: undefined,
  outcome: 'open',
  failure: '',
  attempts: 1,
  templateHash: 'h',
}
const POD: RunPod = {
  name: 'run-a',
  createdAt: 2,
  startedAt: undefined,
  exit: undefined,
  reason: '',
  isStuck: false,
}
const exited = (name: string, createdAt: number, code: number, reason = 'Error'): RunPod => ({
  ...POD,
  name,
  createdAt,
  startedAt: createdAt + 1,
  exit: { code, reason },
})

test('waits until a pod has started', () => {
  expect(observeRun(JOB, [])).toMatchObject({ state: 'pending', reason: '', isStuck: false })
  const reason = 'ErrImagePull: the registry has no such image for this platform'
  const stuck = observeRun(JOB, [{ ...POD, reason, isStuck: true }])
  expect(stuck).toMatchObject({ state: 'pending', reason, isStuck: true, pod: 'run-a' })
  expect(observeRun(JOB, [{ ...POD, startedAt: 3 }])).toMatchObject({
    state: 'running',
    startedAt: 3,
    exitCode: undefined,
  })
})

test('has the exit code of the last pod, and the start of the first', () => {
  const pods = [exited('run-b', 9, 137, 'OOMKilled'), exited('run-a', 2, 1)]
  const between = observeRun({ ...JOB, attempts: 2 }, pods)
  expect(between).toMatchObject({ state: 'running', exitCode: 137, startedAt: 3, attempts: 2 })
  const failed = { outcome: 'failed', failure: 'BackoffLimitExceeded', endedAt: 12 } as const
  expect(observeRun({ ...JOB, ...failed, attempts: 2 }, pods)).toMatchObject({
    state: 'failed',
    reason: 'all 2 attempts failed; the last exit code is 137 (OOMKilled)',
    pod: 'run-b',
    endedAt: 12,
  })
  expect(observeRun({ ...JOB, ...failed, failure: 'DeadlineExceeded' }, []).reason).toBe(
    'it did not end before its deadline',
  )
})

test('has no reason once it has succeeded', () => {
  const pods = [exited('run-a', 2, 1), exited('run-b', 5, 0, 'Completed')]
  const job: RunJob = { ...JOB, outcome: 'succeeded', endedAt: 8, attempts: 2 }
  expect(observeRun(job, pods)).toMatchObject({ state: 'succeeded', reason: '', exitCode: 0 })
})
