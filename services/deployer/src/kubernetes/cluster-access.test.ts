import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startForwardProxy } from '../../test/support/forward-proxy.ts'
import { KubernetesClient } from './client.ts'
import { openCluster } from './cluster-access.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-kubeconfig-'))
})
afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
})

async function kubeconfigWith(cluster: object): Promise<string> {
  const file = join(directory, 'kubeconfig')
  const config = {
    clusters: [{ name: 'main', cluster: { server: 'https://api.invalid:6443', ...cluster } }],
    contexts: [{ name: 'main', context: { cluster: 'main', user: 'deployer' } }],
    users: [{ name: 'deployer', user: { token: 'a-token' } }],
    'current-context': 'main',
  }
  await writeFile(file, JSON.stringify(config))
  return file
}

describe('openCluster', () => {
  test.each([
    ['socks5://user:secret@10.0.0.1:1080', 'has the scheme socks5:'],
    ['ftp://10.0.0.1', 'has the scheme ftp:'],
    ['10.0.0.1:3128', 'is not a URL'],
  ])('rejects the proxy-url %s, without quoting it', async (proxyUrl, problem) => {
    const file = await kubeconfigWith({ 'proxy-url': proxyUrl })
    await expect(openCluster(file)).rejects.toThrow(
      `KUBECONFIG: the proxy-url of the cluster "main" ${problem}; ` +
        'set it to an http:// or https:// proxy, or remove it',
    )
  })

  test.each(['http://proxy.example:3128', 'https://user:secret@proxy.example'])(
    'accepts the proxy-url %s',
    async (proxyUrl) => {
      using access = await openCluster(await kubeconfigWith({ 'proxy-url': proxyUrl }))
      expect(access.server.host).toBe('api.invalid:6443')
    },
  )

  test('rejects a kubeconfig whose current context has no cluster', async () => {
    const file = join(directory, 'empty')
    await writeFile(file, JSON.stringify({ clusters: [], contexts: [], users: [] }))
    await expect(openCluster(file)).rejects.toThrow(
      'KUBECONFIG: the current context has no cluster',
    )
  })
})

describe('a client behind a proxy', () => {
  test.each(['refuse', 'ignore'] as const)(
    'reports the cluster as unreachable when the proxy has the behavior "%s"',
    async (behavior) => {
      await using proxy = await startForwardProxy('127.0.0.1:1', behavior)
      const file = await kubeconfigWith({ 'proxy-url': proxy.url })
      using client = new KubernetesClient(await openCluster(file), 500)
      const request = { method: 'GET', path: '/version' } as const
      const unreachable = { reason: 'cluster_unreachable' }
      await expect(client.send(request)).rejects.toMatchObject(unreachable)
      await expect(client.stream(request)).rejects.toMatchObject(unreachable)
    },
  )

  test('stops waiting for the proxy when the caller is gone', async () => {
    await using proxy = await startForwardProxy('127.0.0.1:1', 'ignore')
    const file = await kubeconfigWith({ 'proxy-url': proxy.url })
    using client = new KubernetesClient(await openCluster(file), 60_000)
    const gone = new AbortController()
    const answer = client.send({ method: 'GET', path: '/version', signal: gone.signal })
    gone.abort(new Error('the caller is gone'))
    await expect(answer).rejects.toThrow('the caller is gone')
  })
})
