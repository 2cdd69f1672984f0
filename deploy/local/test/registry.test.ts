import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePorts } from '@slipway/testing/free-ports'
import { stackDirectories } from '../stack/stack.ts'
import { buildTool } from '../install/toolchain.ts'

const directory = mkdtempSync(join(tmpdir(), 'slipway-registry-'))
const manifestType = 'application/vnd.oci.image.manifest.v1+json'
const indexType = 'application/vnd.oci.image.index.v1+json'
let program = ''
let origin = ''
let registry: ChildProcess

async function start(): Promise<void> {
  const [port = 0] = await freePorts(1)
  const address = `127.0.0.1:${port}`
  registry = spawn(program, ['-address', address, '-directory', directory], { stdio: 'ignore' })
  origin = `http://${address}/v2`
  await expect
    .poll(
      async () =>
        await fetch(origin).then(
          ({ ok }) => ok,
          () => false,
        ),
    )
    .toBe(true)
}

async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const ended = once(registry, 'exit')
  if (registry.exitCode === null && registry.kill(signal)) await ended
}

async function put(path: string, type: string, body: string): Promise<string> {
  const response = await fetch(`${origin}${path}`, {
    method: 'PUT',
    headers: { 'content-type': type },
    body,
  })
  expect(response.status).toBe(201)
  return response.headers.get('docker-content-digest') ?? ''
}

async function pushImage(repository: string, tag: string, content: string): Promise<string> {
  const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`
  const upload = await fetch(`${origin}/${repository}/blobs/uploads/?digest=${digest}`, {
    method: 'POST',
    body: content,
  })
  expect(upload.status).toBe(201)
  const config = {
    mediaType: 'application/vnd.oci.image.config.v1+json',
    digest,
    size: content.length,
  }
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType: manifestType, config, layers: [] })
  return await put(`/${repository}/manifests/${tag}`, manifestType, manifest)
}

const status = async (path: string) => (await fetch(`${origin}${path}`)).status

beforeAll(async () => {
  program = join(await buildTool(stackDirectories(), 'registry', () => undefined), 'registry')
}, 180_000)
afterEach(async () => await stop())
afterAll(() => rmSync(directory, { recursive: true }))

test('keeps pushed images after it was killed', async () => {
  await start()
  const first = await pushImage('some/agent', '1', 'first')
  const second = await pushImage('some/agent', '1', 'second')
  const image = { mediaType: manifestType, digest: first, size: 1 }
  const index = JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests: [image] })
  await put('/some/agent/manifests/all', indexType, index)
  await stop('SIGKILL')

  await start()
  const tagged = await fetch(`${origin}/some/agent/manifests/1`)
  expect(tagged.headers.get('docker-content-digest')).toBe(second)
  expect(tagged.headers.get('content-type')).toBe(manifestType)
  // Pods may still use the digest that the tag no longer refers to.
  expect(await status(`/some/agent/manifests/${first}`)).toBe(200)
  expect(await status('/some/agent/manifests/all')).toBe(200)
  const { config } = (await tagged.json()) as { config: { digest: string } }
  expect(await (await fetch(`${origin}/some/agent/blobs/${config.digest}`)).text()).toBe('second')
})

test('keeps deleted images deleted after a restart', async () => {
  await start()
  await pushImage('other/agent', '1', 'content')
  expect((await fetch(`${origin}/other/agent/manifests/1`, { method: 'DELETE' })).status).toBe(202)
  await stop()
  await start()
  expect(await status('/other/agent/manifests/1')).toBe(404)
})
