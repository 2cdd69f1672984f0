import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import type { ClusterEntry, UserEntry } from './kubeconfig.ts'

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
  /** The body of the response. */
  readonly answer: string

  constructor(status: number, method: string, path: string, answer: string) {
    super(`${method} ${path}: ${status} ${answer.slice(0, 500)}`)
    this.status = status
    this.answer = answer
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
 * Returns a client for a kubeconfig that the stack has written: JSON, one cluster, and one user,
 * with a client certificate or a token.
 */
export function createApiClient(kubeconfigFile: string): ApiClient {
  const config = JSON.parse(readFileSync(kubeconfigFile, 'utf8')) as {
    clusters: [{ cluster: Required<ClusterEntry> }]
    users: [{ user: UserEntry }]
  }
  const { server, 'certificate-authority-data': ca } = config.clusters[0].cluster
  const { user } = config.users[0]
  const decode = (text: string) => Buffer.from(text, 'base64')
  const agent = new Agent({
    ca: decode(ca),
    ...('tokenFile' in user
      ? {}
      : { cert: decode(user['client-certificate-data']), key: decode(user['client-key-data']) }),
    keepAlive: true,
    maxSockets: 16,
  })
  const credentials = () =>
    'tokenFile' in user
      ? { authorization: `Bearer ${readFileSync(user.tokenFile, 'utf8').trim()}` }
      : {}

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
        ...credentials(),
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
