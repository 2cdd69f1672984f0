import { RateLimited } from '@slipway/shared/errors'
import { expect, test } from 'vitest'

import { MemoryBudget } from './memory-budget.ts'

test('a budget lends no more than it has, and gets each part back once', () => {
  const budget = new MemoryBudget(10)
  const part = budget.take(6)
  expect(() => budget.take(5)).toThrow(RateLimited)
  part[Symbol.dispose]()
  part[Symbol.dispose]()
  budget.take(10)
  expect(() => budget.take(1)).toThrow(RateLimited)
})

test('an account gets at most a quarter for all its requests', () => {
  const budget = new MemoryBudget(100)
  const [first, second, other] = [budget.open('a'), budget.open('a'), budget.open('b')]
  first.grow(20)
  second.grow(5)
  expect(() => second.grow(1)).toThrow(RateLimited)
  other.grow(25)
  first.shrinkTo(10)
  second.grow(10)
})

test('all accounts together get at most the total', () => {
  const budget = new MemoryBudget(100)
  for (const account of ['a', 'b', 'c', 'd']) budget.open(account).grow(25)
  expect(() => budget.open('e').grow(1)).toThrow(RateLimited)
})

test('a reservation is released with its last hold', () => {
  const budget = new MemoryBudget(100)
  const request = budget.open('a')
  const [connection, work] = [request.hold(), request.hold()]
  request.grow(25)
  connection[Symbol.dispose]()
  connection[Symbol.dispose]()
  expect(() => budget.open('a').grow(1)).toThrow(RateLimited)
  work[Symbol.dispose]()
  budget.open('a').grow(25)
})
