import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

import { fromStack } from './environment.ts'

/**
 * A request to a host that the stack's ingress controller serves, as if its name led to this
 * machine.
 */
export function callHost(
  host: string,
  options: { method?: string; path?: string; headers?: Record<string, string> } = {},
): ClientRequest {
  const [hostname, port] = fromStack('SLIPWAY_INGRESS').split(':')
  const headers = { ...options.headers, host: `${host}:${port}` }
  return request({ hostname, port, path: '/', ...options, headers, agent: false })
}

/** The status and text that a host answers. */
export async function askHost(
  host: string,
  options: Parameters<typeof callHost>[1] & { body?: string } = {},
): Promise<{ status: number; text: string }> {
  const sent = callHost(host, options)
  sent.end(options.body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, text: await text(response) }
}
