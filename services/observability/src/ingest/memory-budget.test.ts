import { RateLimited } from '@slipway/shared/errors'
import { expect, test } from 'vitest'

import { MemoryBudget } from './memory-budget.ts'

test('a budget gives what it has and takes it back once', () => {
  const budget = new MemoryBudget(10)
  const part = budget.take(6)
  expect(() => budget.take(5)).toThrow(RateLimited)
  part[Symbol.dispose]()
  part[Symbol.dispose]()
  budget.take(10)
  expect(() => budget.take(1)).toThrow(RateLimited)
})
