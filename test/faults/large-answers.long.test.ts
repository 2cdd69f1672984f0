import { afterAll, beforeAll, expect, test } from 'vitest'

import {
  startCatalogAndGateways,
  type CatalogAndGateways,
} from '../support/catalog-and-gateways.ts'
import { LARGE_BUILDS, registerLarge } from '../support/large-agent.ts'

let system: CatalogAndGateways
let detail: string

beforeAll(async () => {
  // So slow that a busy machine doesn't need more time for a response.
  system = await startCatalogAndGateways([{ MAX_RESPONSE_BYTES_PER_SECOND: '500000' }])
  detail = await registerLarge(system, 'mallory')
})

afterAll(async () => {
  await system[Symbol.asyncDispose]()
})

test('a user who has read large responses waits, and others do not', async () => {
  const read = async (as: string) => {
    const { status, body } = await system.send(0, 'GET', detail, { as })
    return [status, body.versions?.length]
  }
  expect(await read('mallory')).toEqual([200, LARGE_BUILDS])

  const done: string[] = []
  const small = system.send(0, 'GET', '/me', { as: 'mallory' }).then(({ status, body }) => {
    done.push('attacker')
    return [status, body.code]
  })
  const large = read('alice').then((answer) => {
    done.push('bystander')
    return answer
  })
  expect(await large).toEqual([200, LARGE_BUILDS])
  expect([
    [200, undefined],
    [429, 'too_many_requests'],
  ]).toContainEqual(await small)
  expect(done).toEqual(['bystander', 'attacker'])
})
