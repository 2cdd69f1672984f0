import { Client } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'

import { fromStack } from '../support/environment.ts'
import { freshName } from './cases/case.ts'
import { ask, buildBody, makeWorld, type World } from './support/catalog-fixture.ts'

let world: World

beforeAll(async () => {
  world = await makeWorld()
})

describe('requests with an idempotency key', () => {
  const keyed = () => {
    const name = freshName('keyed')
    return [
      { path: '/accounts', body: { name }, other: { name: `${name}-other` }, status: 201 },
      {
        path: `/agents/${world.account}/${name}/register`,
        body: buildBody(name, 'b1'),
        other: buildBody(name, 'b2'),
        status: 201,
      },
      {
        path: `/agents/${world.account}/${name}/publish`,
        body: { build_id: 'b1', version: '1.0.0' },
        other: { build_id: 'b1', version: '2.0.0' },
        status: 201,
      },
      {
        path: `/agents/${world.account}/${name}/versions/1.0.0/yank`,
        body: undefined,
        other: {},
        status: 200,
      },
      {
        path: `/agents/${world.account}/${name}/versions/1.0.0/unyank`,
        body: undefined,
        other: {},
        status: 200,
      },
    ]
  }

  test('repeat the first response, and are rejected when the request differs', async () => {
    for (const { path, body, other, status } of keyed()) {
      const headers = { 'idempotency-key': freshName('key') }
      const options = body === undefined ? { headers } : { headers, body }
      const first = await ask('POST', path, 'owner', options)
      expect([path, first.status, first.headers.get('idempotency-replayed')]).toEqual([
        path,
        status,
        null,
      ])
      const again = await ask('POST', path, 'owner', options)
      expect([path, again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
        path,
        status,
        first.text,
        'true',
      ])
      const reused = await ask('POST', path, 'owner', { headers, body: other })
      expect([path, reused.status, reused.body.code]).toEqual([path, 422, 'idempotency_key_reused'])
      const elsewhere = await ask('POST', `${path}?other=1`, 'owner', options)
      expect([path, elsewhere.headers.get('idempotency-replayed')]).toEqual([path, null])
    }
  })

  test('get a 409 while a request with the same key is running', async () => {
    const database = new Client({ connectionString: fromStack('CATALOG_DATABASE_URL') })
    await database.connect()
    try {
      for (const { path, body, status } of keyed()) {
        const headers = { 'idempotency-key': freshName('key') }
        const options = body === undefined ? { headers } : { headers, body }
        // The lock holds the first request, so that the second one finds it running.
        await database.query('BEGIN')
        await database.query('LOCK TABLE account_name, agent IN EXCLUSIVE MODE')
        const both = [1, 2].map(() => ask('POST', path, 'owner', options))
        const refused = await Promise.race(both)
        await database.query('COMMIT')
        expect([path, refused.status, refused.body.code]).toEqual([
          path,
          409,
          'idempotency_key_in_use',
        ])
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
        const statuses = (await Promise.all(both)).map((answer) => answer.status)
        expect([path, statuses.toSorted((left, right) => left - right)]).toEqual([
          path,
          [status, 409],
        ])
        expect([path, (await ask('POST', path, 'owner', options)).status]).toEqual([path, status])
      }
    } finally {
      await database.end()
    }
  })
})
