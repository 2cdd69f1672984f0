import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { testAuthority } from '@slipway/testing'
import { expect, test } from 'vitest'

import { startLoneGateway } from './support/lone-gateway.ts'

test('a gateway starts with a damaged RPC_TLS_CA_FILE, and is ready once it is valid', async () => {
  await using cleanup = new AsyncDisposableStack()
  const authority = cleanup.use(await testAuthority())
  const directory = await mkdtemp(join(tmpdir(), 'slipway-authority-'))
  cleanup.defer(() => rm(directory, { recursive: true }))
  const path = join(directory, 'ca.crt')
  await writeFile(path, authority.ca.slice(0, 200))
  const gateway = cleanup.use(await startLoneGateway({ RPC_TLS_CA_FILE: path }))

  const { status, text } = await gateway.send('GET', '/readyz')
  expect({ status, text }).toMatchObject({ status: 503, text: expect.stringContaining('rpc_ca') })
  expect(await gateway.send('GET', '/api/v1/agents')).toMatchObject({ status: 503 })
  await writeFile(path, authority.ca)
  await expect.poll(async () => (await gateway.send('GET', '/readyz')).status).toBe(200)
})
