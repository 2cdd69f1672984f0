import type { IncomingMessage } from 'node:http'

/** Hop-by-hop headers (RFC 9110, 7.6.1), and headers that this proxy sets itself. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Returns the headers of a message that the proxy passes on, unchanged, as [name, value] pairs. */
export function passedHeaders(
  message: Pick<IncomingMessage, 'rawHeaders' | 'headers'>,
): [string, string][] {
  const named = (message.headers.connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
  const dropped = new Set([...OF_THE_CONNECTION, ...named])
  const pairs: [string, string][] = []
  for (let index = 0; index < message.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = message.rawHeaders.slice(index, index + 2)
    if (!dropped.has(name.toLowerCase())) pairs.push([name, value])
  }
  return pairs
}

/** Returns the headers of the request to the agent. */
export function requestHeaders(
  message: Pick<IncomingMessage, 'rawHeaders' | 'headers'>,
  agentHost: string,
  remoteAddress: string,
): string[] {
  const written = new Set(['host', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'])
  const kept = passedHeaders(message).filter(([name]) => !written.has(name.toLowerCase()))
  const first = (name: string): string | undefined => {
    const value = message.headers[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  // The ingress controller in front of this adapter sets the X-Forwarded headers.
  const known = first('x-forwarded-for')
  const own: [string, string][] = [
    ['Host', agentHost],
    ['X-Forwarded-For', known === undefined ? remoteAddress : `${known}, ${remoteAddress}`],
    ['X-Forwarded-Host', first('x-forwarded-host') ?? first('host') ?? ''],
    ['X-Forwarded-Proto', first('x-forwarded-proto') ?? 'http'],
  ]
  // A body has either a length or chunks: Node refuses requests with both headers.
  const chunked: [string, string][] =
    'transfer-encoding' in message.headers ? [['Transfer-Encoding', 'chunked']] : []
  return [...own, ...kept, ...chunked].flat()
}

/** Whether a request has a body, according to its headers. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0
}
