import { expect, test } from 'vitest'

import { exceedsQuota, quotaExceeded, type QuotaUse } from './quota.ts'

const use: QuotaUse = { limit: 'cpu', used: 1500, bound: 2000 }

test('a limit can be used up, and what exceeds it can shrink', () => {
  expect(exceedsQuota(use, 500)).toBe(false)
  expect(exceedsQuota(use, 501)).toBe(true)
  expect(exceedsQuota({ ...use, used: 9000 }, 0)).toBe(false)
  expect(exceedsQuota({ ...use, used: 9000 }, -10)).toBe(false)
})

test('the error says which limit, how much of it is used, and what to do', () => {
  expect(quotaExceeded(use, 600)).toMatchObject({
    reason: 'quota_exceeded',
    metadata: { limit: 'cpu', used: '1500', bound: '2000' },
    message:
      'limit cpu (CPU limits of all replicas of all live deployments): the account uses ' +
      '1.5 of 2 CPUs, and this needs 0.6 more; reduce CPU limits or replicas, or undeploy ' +
      'agents, or ask the operator for a higher limit',
  })
})
