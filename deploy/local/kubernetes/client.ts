import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import type { IncomingMessage } from 'node:http'

/** An object of the Kubernetes API, with the metadata that is read here. */
export interface ApiObject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid?: string
    readonly resourceVersion?: string
    readonly annotations?: Readonly<Record<string, string>>
    readonly creationTimestamp?: string
    readonly deletionTimestamp?: string
  }
}

/** The API server returned an error status. */
export class ApiError extends Error {
  readonly status: number

  constructor(status: number, method: string, path: string, answer: string) {
    super(`${method} ${path}: ${status} ${answer.slice(0, 500)}`)
    this.status = status
  }
}

/** A small client of the API server for the local stack. The deployer has a complete one. */
export interface ApiClient {
  /** Sends a request and returns the parsed response. Throws `ApiError` for an error status. */
  call(method: string, path: string, body?: unknown, contentType?: string): Promise<unknown>
  /** Calls `onChange` at least once for every change of a collection, until the watch ends. */
  watch(path: string, onChange: () => void, signal: AbortSignal): Promise<void>
  /** Whether a path (a health endpoint) returns 200. */
  isOk(path: string): Promise<boolean>
}

/**
 * Returns a client for a kubeconfig that the stack has written: JSON, one cluster, and a client
 * certificate.
 */
export function createApiClient(kubeconfigFile: string): ApiClient {
  const config = JSON.parse(readFileSync(kubeconfigFile, 'utf8')) as {
    clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }]
    users: [{ user: { 'client-certificate-data': string; 'client-key-data': string } }]
  }
  const { server, 'certificate-authority-data': ca } = config.clusters[0].cluster
  const { 'client-certificate-data': cert, 'client-key-data': key } = config.users[0].user
  const decode = (text: string) => Buffer.from(text, 'base64')
  const agent = new Agent({
    ca: decode(ca),
    cert: decode(cert),
    key: decode(key),
    keepAlive: true,
    maxSockets: 16,
  })

  const open = async (
    method: string,
    path: string,
    body: unknown,
    contentType: string,
    signal: AbortSignal,
  ) =>
    await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': contentType }),
      }
      const sent = request(new URL(path, server), { agent, method, headers, signal }, resolve)
      sent.once('error', reject)
      sent.end(
        body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      )
    })

  const call: ApiClient['call'] = async (method, path, body, contentType = 'application/json') => {
    const answer = await open(method, path, body, contentType, AbortSignal.timeout(10_000))
    const text = Buffer.concat(await answer.toArray()).toString('utf8')
    const status = answer.statusCode ?? 0
    if (status < 200 || status > 299) throw new ApiError(status, method, path, text)
    return text.startsWith('{') ? JSON.parse(text) : text
  }

  return {
    call,
    async watch(path, onChange, signal) {
      const answer = await open('GET', path, undefined, '', signal)
      if (answer.statusCode !== 200) throw new ApiError(answer.statusCode ?? 0, 'WATCH', path, '')
      for await (const _ of answer) onChange()
    },
    async isOk(path) {
      try {
        await call('GET', path)
        return true
      } catch {
        return false
      }
    },
  }
}
