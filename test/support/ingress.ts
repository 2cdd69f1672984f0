import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

import { fromStack } from './environment.ts'

/**
 * Starts a request to a host of the stack's ingress controller, regardless of what its name
 * resolves to.
 */
export function callHost(
  host: string,
  options: { method?: string; path?: string; headers?: Record<string, string> } = {},
): ClientRequest {
  const [hostname, port] = fromStack('SLIPWAY_INGRESS').split(':')
  const headers = { ...options.headers, host: `${host}:${port}` }
  return request({ hostname, port, path: '/', ...options, headers, agent: false })
}

/** Sends a request to such a host; returns status and text. */
export async function askHost(
  host: string,
  options: Parameters<typeof callHost>[1] & { body?: string } = {},
): Promise<{ status: number; text: string }> {
  const sent = callHost(host, options)
  sent.end(options.body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, text: await text(response) }
}
