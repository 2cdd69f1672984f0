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

/**
 * Starts a server that takes OTLP over HTTP and keeps what was sent to it. Requests without `token`
 * get a 401, as from Slipway.
 */
export async function startOtlpRecorder(
  requests: SentRequest[],
  token: string,
): Promise<LocalServer> {
  return await listen(
    createServer((request, response) => {
      void readBody(request).then((raw) => {
        const path = request.url ?? ''
        const contentType = request.headers['content-type'] ?? ''
        const isGzip = request.headers['content-encoding'] === 'gzip'
        // Some senders don't decode the header, which the specification of OTLP requires.
        const isKnown = request.headers.authorization?.replace('%20', ' ') === `Bearer ${token}`
        const isOtlp = request.method === 'POST' && /^\/v1\/(traces|logs|metrics)$/.test(path)
        const isTaken = isOtlp && isKnown
        if (isTaken) requests.push({ path, contentType, body: isGzip ? gunzipSync(raw) : raw })
        response.writeHead(isTaken ? 200 : isOtlp ? 401 : 404, { 'content-type': contentType })
        response.end(isTaken && contentType.includes('json') ? '{}' : '')
      })
    }),
  )
}
