import { RateLimited } from '@slipway/shared/errors'
import { expect, test } from 'vitest'

import { createIngestMemory, queueOwner, Reservation } from './ingest-memory.ts'

const ownerOf = (accountId: string, deployedBy: string) =>
  queueOwner({
    accountId,
    deployedBy,
    agent: 'helper',
    agentId: '',
    deploymentId: 'd',
    buildId: 'b',
  })

test('a user gets at most a quarter, with any number of accounts', () => {
  const memory = createIngestMemory(100)
  for (const account of ['a', 'b', 'c', 'd', 'e']) memory.take(ownerOf(account, 'mallory'), 5)
  expect(() => memory.take(ownerOf('f', 'mallory'))).toThrow(RateLimited)
  memory.take(ownerOf('own', 'alice'), 25)
})

test('an account gets at most a quarter, with any number of users', () => {
  const memory = createIngestMemory(100)
  for (const user of ['u', 'v', 'w', 'x', 'y']) memory.take(ownerOf('team', user), 5)
  expect(() => memory.take(ownerOf('team', 'z'))).toThrow(RateLimited)
  memory.take(ownerOf('other', ''), 25)
  expect(() => memory.take(ownerOf('other', ''))).toThrow(RateLimited)
})

test('a reservation is released with its last hold', () => {
  const memory = createIngestMemory(100)
  const request = new Reservation(memory.open(ownerOf('a', '')))
  const [connection, work] = [request.hold(), request.hold()]
  request.grow(25)
  connection[Symbol.dispose]()
  connection[Symbol.dispose]()
  expect(() => memory.take(ownerOf('a', ''))).toThrow(RateLimited)
  work[Symbol.dispose]()
  memory.take(ownerOf('a', ''), 25)
})
