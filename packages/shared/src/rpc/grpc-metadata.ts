import { Metadata } from '@grpc/grpc-js'

/** Converts gRPC metadata to HTTP headers; binary entries become base64. */
export function headersFromMetadata(metadata: Metadata): Headers {
  const headers = new Headers()
  for (const key of Object.keys(metadata.getMap())) {
    for (const value of metadata.get(key)) {
      headers.append(key, typeof value === 'string' ? value : value.toString('base64'))
    }
  }
  return headers
}

/** Headers of HTTP/1.1 connections and messages. HTTP/2 forbids some of them. */
const HTTP_1_HEADER =
  /^(connection|keep-alive|proxy-connection|transfer-encoding|upgrade|date|content-.*)$/

/** Converts HTTP headers to gRPC metadata, except those that the protocol sets itself. */
export function metadataFromHeaders(headers: Headers): Metadata {
  const metadata = new Metadata()
  for (const [key, value] of headers) {
    if (key.startsWith('grpc-') && key !== 'grpc-status-details-bin') continue
    if (key === 'te' || key === 'user-agent' || HTTP_1_HEADER.test(key)) continue
    metadata.add(key, key.endsWith('-bin') ? Buffer.from(value, 'base64') : value)
  }
  return metadata
}
