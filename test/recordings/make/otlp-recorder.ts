import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'

import { listen, readBody, type LocalServer } from './local-server.ts'

/** A request that an exporter has sent. */
export interface SentRequest {
  readonly path: string
  readonly contentType: string
  /** Decompressed. */
  readonly body: Buffer
}

/** Starts a server that takes OTLP over HTTP and keeps what was sent to it. */
export async function startOtlpRecorder(requests: SentRequest[]): Promise<LocalServer> {
  return await listen(
    createServer((request, response) => {
      void readBody(request).then((raw) => {
        const path = request.url ?? ''
        const contentType = request.headers['content-type'] ?? ''
        const isGzip = request.headers['content-encoding'] === 'gzip'
        const isOtlp = request.method === 'POST' && /^\/v1\/(traces|logs|metrics)$/.test(path)
        if (isOtlp) requests.push({ path, contentType, body: isGzip ? gunzipSync(raw) : raw })
        response.writeHead(isOtlp ? 200 : 404, { 'content-type': contentType })
        response.end(isOtlp && contentType.includes('json') ? '{}' : '')
      })
    }),
  )
}
