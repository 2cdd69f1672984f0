import { Metadata } from '@grpc/grpc-js'

/** gRPC metadata as HTTP headers; binary entries in base64, as they go over the wire. */
export function headersFromMetadata(metadata: Metadata): Headers {
  const headers = new Headers()
  for (const key of Object.keys(metadata.getMap())) {
    for (const value of metadata.get(key)) {
      headers.append(key, typeof value === 'string' ? value : value.toString('base64'))
    }
  }
  return headers
}

/** Headers of an HTTP/1.1 connection and of its messages: HTTP/2 refuses to send some of them. */
const OF_HTTP =
  /^(connection|keep-alive|proxy-connection|transfer-encoding|upgrade|date|content-.*)$/

/** HTTP headers as gRPC metadata; what the protocol itself sets is left out. */
export function metadataFromHeaders(headers: Headers): Metadata {
  const metadata = new Metadata()
  for (const [key, value] of headers) {
    if (key.startsWith('grpc-') && key !== 'grpc-status-details-bin') continue
    if (key === 'te' || key === 'user-agent' || OF_HTTP.test(key)) continue
    metadata.add(key, key.endsWith('-bin') ? Buffer.from(value, 'base64') : value)
  }
  return metadata
}
