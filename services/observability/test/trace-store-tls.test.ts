import { testAuthority } from '@slipway/testing'
import { expect, test } from 'vitest'

import { openServer } from '../src/store/server-engine.ts'
import { prepareClickHouse } from './support/clickhouse-http.ts'

test('a ClickHouse server by https needs a certificate of the trusted authority', async () => {
  await using authority = await testAuthority()
  await using stranger = await testAuthority()
  await using clickHouse = await prepareClickHouse(await authority.issue('localhost'))
  await clickHouse.start()

  async function outcomeOf(trustedCa: string | undefined): Promise<string> {
    await using engine = openServer(clickHouse.url, trustedCa)
    return await engine.command('SELECT 1').then(() => 'ok', String)
  }
  expect(await outcomeOf(authority.ca)).toBe('ok')
  expect(await outcomeOf(stranger.ca)).toContain('certificate')
  expect(await outcomeOf(undefined)).toContain('certificate')
})
