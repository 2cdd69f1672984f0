import { expect, test } from 'vitest'
import { ingestPeers } from './ingest-peers.ts'

test.each([undefined, 'http://10.0.0.1:4318'])('leaves %s to the deployer', async (url) => {
  expect(await ingestPeers(url)).toEqual({})
})

test.each([
  ['http://localhost:4318', /^(127\.0\.0\.1\/32|::1\/128)$/],
  ['http://[fd00::1]:4318', /^fd00::1\/128$/],
])('allows only the addresses of %s', async (url, pattern) => {
  const { NETWORK_INGEST_PEERS = '' } = await ingestPeers(url)
  const peers = JSON.parse(NETWORK_INGEST_PEERS) as { ipBlock: { cidr: string } }[]
  expect(peers.length).toBeGreaterThan(0)
  for (const { ipBlock } of peers) expect(ipBlock.cidr).toMatch(pattern)
})

test('refuses a name without an address', async () => {
  await expect(ingestPeers('http://no-such-host.invalid:4318')).rejects.toThrow(
    'INGEST_URL: no-such-host.invalid has no address on this machine; use the IPv4 address',
  )
})
