import { expect, test } from 'vitest'
import { addCounts, countVitest, summaryLine } from './counts.ts'

const report = {
  numPassedTests: 5,
  numFailedTests: 1,
  numPendingTests: 2,
  numTodoTests: 1,
  testResults: [],
}

test('counts what passed, failed and was skipped', () => {
  expect(countVitest(report, 1)).toEqual({ passed: 5, failed: 1, skipped: 3 })
})

test.each([
  ['cannot be loaded', []],
  ['has a hook that fails', [{ status: 'skipped' }]],
])('a file that %s is a failure', (_what, assertionResults) => {
  const testResults = [{ status: 'failed', assertionResults }]
  expect(countVitest({ ...report, numFailedTests: 0, testResults }, 1).failed).toBe(1)
})

test.each([
  ['no test failed, but vitest did', { ...report, numFailedTests: 0 }],
  ['there is no report', undefined],
])('%s: one failure', (_what, each) => {
  expect(countVitest(each, 1).failed).toBe(1)
})

test('sums up', () => {
  const counts = [
    { passed: 1, failed: 2, skipped: 3 },
    { passed: 10, failed: 20, skipped: 30 },
  ]
  expect(summaryLine(addCounts(counts))).toBe('11 passed, 22 failed, 33 skipped')
})
