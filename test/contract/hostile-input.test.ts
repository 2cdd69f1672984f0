import { beforeAll, describe, expect, test } from 'vitest'

import { hostileSpecs, oddSpecs } from '../support/hostile-specs.ts'
import { ask, buildBody, makeWorld, type World } from './support/catalog-fixture.ts'

let world: World

beforeAll(async () => {
  world = await makeWorld()
})

async function registerSpec(spec: string) {
  const body = { ...buildBody('hostile', 'b1'), spec_content: spec }
  return await ask('POST', `/agents/${world.account}/hostile/register`, 'owner', { body })
}

describe('a spec file', () => {
  test.each(Object.entries(hostileSpecs()))(
    'is rejected with a reason: %s',
    async (_what, spec) => {
      const { status, body } = await registerSpec(spec)
      expect([status, body.code]).toEqual([400, 'invalid_spec'])
      expect(body.validation_errors).toEqual([expect.stringMatching(/^spec_content: ./)])
      expect(body.detail.length).toBeLessThan(1000)
    },
  )

  test.each(Object.entries(oddSpecs()))('is accepted with warnings: %s', async (_what, spec) => {
    const { status, body } = await registerSpec(spec)
    expect([status, Array.isArray(body.validation_warnings)]).toEqual([201, true])
    const { text } = await ask('GET', `/agents/${world.account}/hostile`, 'owner')
    expect(JSON.parse(text).versions[0].build_id).toBe('b1')
    expect('polluted' in {}).toBe(false)
  })

  test('is rejected unread when it is too large or has NUL characters', async () => {
    const options = { headers: { 'content-type': 'application/json' } }
    const path = `/agents/${world.account}/hostile/register`
    const huge = await ask('POST', path, 'owner', {
      body: { ...buildBody('hostile', 'b1'), spec_content: 'a: b\n'.repeat(60_000) },
    })
    expect([huge.status, huge.body.validation_errors[0]]).toEqual([
      413,
      expect.stringContaining('spec_content'),
    ])
    const nul = await ask('POST', path, 'owner', {
      ...options,
      rawBody: JSON.stringify({ ...buildBody('hostile', 'b1'), spec_content: 'a: "\0"' }),
    })
    expect(nul.status).toBe(400)
  })
})
