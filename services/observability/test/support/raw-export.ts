import { once } from 'node:events'
import type { ClientHttp2Session } from 'node:http2'

const PATHS = {
  trace: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
} as const

/**
 * Opens a call of OTLP's Export over HTTP/2, announces a message and sends only its first `bytes`.
 * Returns the gRPC status that the server ends the call with.
 */
export async function exportPart(
  session: ClientHttp2Session,
  token: string,
  bytes: number,
): Promise<number> {
  return await exportBytes(session, token, announced(bytes + 1, Buffer.alloc(bytes)))
}

/** Sends a message in a call of OTLP's Export byte for byte; returns the gRPC status. */
export async function exportRaw(
  session: ClientHttp2Session,
  token: string,
  message: Uint8Array,
  signal: keyof typeof PATHS = 'trace',
): Promise<number> {
  const bytes = announced(message.length, message)
  return await exportBytes(session, token, bytes, { isWhole: true, signal })
}

function announced(length: number, bytes: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(length, 1)
  return bytes.length === 0 ? Buffer.alloc(0) : Buffer.concat([prefix, bytes])
}

async function exportBytes(
  session: ClientHttp2Session,
  token: string,
  bytes: Buffer,
  { isWhole = false, signal = 'trace' }: { isWhole?: boolean; signal?: keyof typeof PATHS } = {},
): Promise<number> {
  const stream = session.request({
    ':method': 'POST',
    ':path': PATHS[signal],
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${token}`,
  })
  stream.on('error', () => {})
  stream.resume()
  if (bytes.length > 0) stream.write(bytes)
  if (isWhole) stream.end()
  const trailers = once(stream, 'trailers')
  trailers.catch(() => {})
  const [headers] = await once(stream, 'response')
  // A call that fails before its first message has the status in its headers.
  if (headers['grpc-status'] !== undefined) return Number(headers['grpc-status'])
  const [ended] = await trailers
  return Number(ended['grpc-status'])
}
