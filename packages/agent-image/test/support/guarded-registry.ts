import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What guards a registry. */
export interface GuardOptions {
  /** Basic, or access tokens as the distribution spec has them. Default: none. */
  readonly scheme?: 'basic' | 'bearer'
  /** The password of each user. */
  readonly users?: Readonly<Record<string, string>>
  /** Users that may only read. */
  readonly readers?: readonly string[]
  /** Requests that a token is good for. Default: any number. */
  readonly usesPerToken?: number
  /** Answers a request before it reaches the registry. True if it did. */
  readonly intercept?: (incoming: IncomingMessage, answer: ServerResponse) => boolean
}

/** The stack's registry behind a server that asks for a login. */
export interface GuardedRegistry extends AsyncDisposable {
  /** `127.0.0.1:port`. */
  readonly address: string
  /** Every request that reached the guard, as `METHOD /path`. */
  readonly requests: string[]
  /** The scopes of all access tokens. */
  readonly scopes: string[][]
}

interface Token {
  readonly user: string
  readonly scopes: readonly string[]
  uses: number
}

/** Serves a registry to those who have a password, or a token for it. */
export async function guardRegistry(
  registry: string,
  options: GuardOptions = {},
): Promise<GuardedRegistry> {
  const { scheme, users = {}, readers = [], usesPerToken = Number.POSITIVE_INFINITY } = options
  const requests: string[] = []
  const scopes: string[][] = []
  const tokens = new Map<string, Token>()

  const userOf = (header = ''): string | undefined => {
    const text = Buffer.from(header.replace(/^Basic /, ''), 'base64').toString()
    const [name = '', password] = text.split(':')
    return Object.hasOwn(users, name) && users[name] === password ? name : undefined
  }
  const issue = (user: string, wanted: string[], answer: ServerResponse): void => {
    const value = `token-${tokens.size}`
    tokens.set(value, { user, scopes: wanted, uses: 0 })
    scopes.push(wanted)
    answer.end(JSON.stringify({ token: value, expires_in: 300 }))
  }
  const serveToken = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? '', 'http://localhost')
    if (incoming.method === 'POST') {
      let form = ''
      for await (const chunk of incoming) form += String(chunk)
      const fields = new URLSearchParams(form)
      const user = Object.keys(users).find((name) => users[name] === fields.get('refresh_token'))
      if (user === undefined) return void answer.writeHead(401).end()
      return issue(user, (fields.get('scope') ?? '').split(' '), answer)
    }
    const isAnonymous = incoming.headers.authorization === undefined
    const user = isAnonymous ? 'anonymous' : userOf(incoming.headers.authorization)
    if (user === undefined) return void answer.writeHead(401).end()
    issue(user, url.searchParams.getAll('scope'), answer)
  }
  const isAllowed = (incoming: IncomingMessage): 200 | 401 | 403 => {
    const { authorization = '' } = incoming.headers
    const writes = incoming.method !== 'GET' && incoming.method !== 'HEAD'
    if (scheme === undefined) return 200
    if (scheme === 'basic') {
      const user = userOf(authorization)
      if (user === undefined) return 401
      return writes && readers.includes(user) ? 403 : 200
    }
    const token = tokens.get(authorization.replace(/^Bearer /, ''))
    if (token === undefined || ++token.uses > usesPerToken) return 401
    const repository = /^\/v2\/(.+?)\/(?:blobs|manifests)\//.exec(incoming.url ?? '')?.[1]
    const fits = token.scopes.some((scope) => {
      const [, name, rights = ''] = scope.split(':')
      return name === repository && rights.split(',').includes(writes ? 'push' : 'pull')
    })
    if (!fits || token.user === 'anonymous') return 401
    return writes && readers.includes(token.user) ? 403 : 200
  }

  const server = createServer((incoming, answer) => {
    requests.push(`${incoming.method} ${incoming.url}`)
    if (incoming.url?.startsWith('/token')) return void serveToken(incoming, answer)
    const status = isAllowed(incoming)
    if (status === 200) {
      if (options.intercept?.(incoming, answer) !== true) forward(registry, incoming, answer)
      return
    }
    incoming.resume()
    const challenge =
      scheme === 'bearer'
        ? `Bearer realm="http://${incoming.headers.host}/token",service="images"`
        : 'Basic realm="images"'
    const code = status === 401 ? 'UNAUTHORIZED' : 'DENIED'
    const message = status === 401 ? 'authentication required' : 'no right to push'
    const body = JSON.stringify({ errors: [{ code, message }] })
    answer.writeHead(status, status === 401 ? { 'www-authenticate': challenge } : {}).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    scopes,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function forward(registry: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const { method, url, headers } = incoming
  const forwarded = request(`http://${registry}${url}`, { method, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 500, response.headers)
    response.pipe(answer)
  })
  forwarded.on('error', () => answer.destroy())
  incoming.on('error', () => forwarded.destroy())
  incoming.pipe(forwarded)
}
