import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import type { StartSide } from '../side.ts'

/** An HTTPS server that returns the object it gets, as an API server does; outputs its port. */
export const sides: Readonly<Record<string, StartSide>> = {
  echo: async (certificates) => {
    const read = (name: string) => readFileSync(join(certificates, name))
    const tls = { cert: read('server.crt'), key: read('server.key'), keepAliveTimeout: 60_000 }
    const server = createServer(tls, (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        response.setHeader('content-type', 'application/json').end(answer(request.url, chunks))
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { output: String((server.address() as AddressInfo).port) }
  },
}

/** The library requests the kinds of a group before its first request for one of them. */
const KINDS = JSON.stringify({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: 'apps/v1',
  resources: [{ name: 'deployments', kind: 'Deployment', namespaced: true, verbs: ['patch'] }],
})

function answer(url: string | undefined, chunks: readonly Buffer[]): Buffer | string {
  return url === '/apis/apps/v1' ? KINDS : Buffer.concat(chunks)
}
