import { afterAll, beforeAll, expect, test } from 'vitest'

import {
  register,
  startCatalogAndGateways,
  type CatalogAndGateways,
} from '../support/catalog-and-gateways.ts'

// The catalog limits the size of a build's text fields; the gateway reports the field that is too
// large.

const KIB = 1024

let system: CatalogAndGateways
let account: string

beforeAll(async () => {
  system = await startCatalogAndGateways([{}])
  account = await register(system, 0, { as: 'alice', name: 'bot', buildId: 'b1' })
})

afterAll(async () => {
  await system[Symbol.asyncDispose]()
})

test.each([
  ['spec_content', 256 * KIB],
  ['readme', 512 * KIB],
])('returns 413 with field and limit for a %s that is too large', async (field, bytes) => {
  const body = {
    build_id: 'b2',
    registry: 'oci://registry.example/x',
    spec_content: 'spec: astro/v1\nname: bot\n',
    // Two bytes per character: the limit counts bytes.
    [field]: 'ä'.repeat(bytes / 2 + 1),
  }
  const answer = await system.send(0, 'POST', `/agents/${account}/bot/register`, {
    as: 'alice',
    body,
  })
  expect([answer.status, answer.body.code, answer.body.validation_errors]).toEqual([
    413,
    'too_large',
    [`${field}: must not be larger than ${bytes} bytes`],
  ])
})
