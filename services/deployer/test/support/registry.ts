import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

import { requireEnv } from './deployer.ts'

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'

/** `host:port` of the stack's registry. */
export const registryAddress = (): string => requireEnv('SLIPWAY_REGISTRY')

/** Pushes an image with this content to the stack's registry. Returns its digest. */
export async function pushImage(repository: string, tag: string, content: string): Promise<string> {
  const base = `http://${registryAddress()}/v2/${repository}`
  const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`
  await put(`${base}/blobs/uploads/?digest=${digest}`, { method: 'POST', body: content })
  const config = {
    mediaType: 'application/vnd.oci.image.config.v1+json',
    digest,
    size: content.length,
  }
  const body = JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, config, layers: [] })
  const headers = { 'content-type': MANIFEST }
  const { headers: stored } = await put(`${base}/manifests/${tag}`, {
    method: 'PUT',
    headers,
    body,
  })
  return stored.get('docker-content-digest') ?? ''
}

async function put(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response
}

/** A registry at its own address: it forwards to the stack's, and may require a login. */
export interface RegistryFront extends AsyncDisposable {
  readonly address: string
  /** The requests that it has received. */
  readonly requests: readonly string[]
}

/** Starts a registry that requires `login` (`user:password`), if there is one. */
export async function startRegistry(login?: string): Promise<RegistryFront> {
  const requests: string[] = []
  const expected = login && `Basic ${Buffer.from(login).toString('base64')}`
  const server = createServer((incoming, response) => {
    requests.push(`${incoming.method} ${incoming.url}`)
    if (expected !== undefined && incoming.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="registry"' }).end()
      return
    }
    const options = { method: incoming.method, headers: { accept: incoming.headers.accept } }
    const forwarded = request(`http://${registryAddress()}${incoming.url}`, options)
    forwarded.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    incoming.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
