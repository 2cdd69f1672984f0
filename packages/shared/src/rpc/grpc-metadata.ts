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

/** HTTP headers as gRPC metadata; what the protocol itself sets is left out. */
export function metadataFromHeaders(headers: Headers): Metadata {
  const metadata = new Metadata()
  for (const [key, value] of headers) {
    if (key.startsWith('grpc-') && key !== 'grpc-status-details-bin') continue
    if (key === 'content-type' || key === 'te' || key === 'user-agent') continue
    metadata.add(key, key.endsWith('-bin') ? Buffer.from(value, 'base64') : value)
  }
  return metadata
}
