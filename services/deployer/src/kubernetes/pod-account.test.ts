import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { readPodAccount } from './pod-account.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-pod-account-'))
})
afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
})

test('reads the mounted authority and token, also a renewed one', async () => {
  await writeFile(join(directory, 'ca.crt'), 'an authority')
  await writeFile(join(directory, 'token'), 'first\n')
  const env = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' }
  const { server, read } = readPodAccount(env, directory)
  expect(server.href).toBe('https://10.96.0.1/')
  const tls = { ca: 'an authority' }
  expect(await read()).toEqual({ tls, headers: { Authorization: 'Bearer first' } })
  await writeFile(join(directory, 'token'), 'second')
  expect(await read()).toEqual({ tls, headers: { Authorization: 'Bearer second' } })
})

test('reaches an API server with an IPv6 address', () => {
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' }
  expect(readPodAccount(env, directory).server.host).toBe('[fd00::1]:6443')
})

test('says outside of pods that KUBECONFIG is missing', () => {
  expect(() => readPodAccount({}, directory)).toThrow('set KUBECONFIG to the path of a kubeconfig')
})
