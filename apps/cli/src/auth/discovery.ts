import { CliError } from '../errors/cli-error.ts'
import { describeFailure } from './network-failure.ts'

const TIMEOUT_MS = 10_000

/** How to sign in to a server: https://www.rfc-editor.org/rfc/rfc9728, and our additions. */
export interface SignInMetadata {
  readonly issuer: string
  readonly clientId: string
  readonly scope: string
  /** The parameter `audience` of the request, which some providers need. */
  readonly audience: string | undefined
  /** The parameter `resource` of the request (RFC 8707), if the provider takes it. */
  readonly resource: string | undefined
  /** Whether the server takes the provider's ID tokens in place of its access tokens. */
  readonly usesIdTokens: boolean
}

interface ProtectedResource {
  readonly resource?: string
  readonly slipway_login?: readonly {
    readonly issuer: string
    readonly client_id: string
    readonly scopes: readonly string[]
    readonly audience?: string
    readonly takes_resource?: boolean
    readonly send: 'access_token' | 'id_token'
  }[]
}

/** Asks a server how to sign in. */
export async function discoverSignIn(url: string, signal: AbortSignal): Promise<SignInMetadata> {
  const { origin, pathname } = new URL(`${url}/api/v1`)
  const address = `${origin}/.well-known/oauth-protected-resource${pathname}`
  const metadata = await fetchJson<ProtectedResource>(address, url, signal)
  const resource = `${origin}${pathname}`
  if (metadata.resource !== resource)
    throw new CliError(`${url} calls itself ${metadata.resource ?? 'nothing'}`, {
      code: 'other_resource',
      why: 'a server must not sign people in for another one (RFC 9728, section 3.3)',
      next: `use the address that it gives, without /api/v1`,
    })
  const [client] = metadata.slipway_login ?? []
  if (client === undefined)
    throw new CliError(`${url} doesn't say how the command line signs in`, {
      code: 'no_sign_in',
      why: 'its settings have no client of the command line',
      next: 'set SLIPWAY_TOKEN, or ask the operator to set the client id of the command line',
    })
  return {
    issuer: client.issuer,
    clientId: client.client_id,
    scope: client.scopes.join(' '),
    audience: client.audience,
    // Ours, and not what the server says: it could name another one.
    resource: client.takes_resource === true ? resource : undefined,
    usesIdTokens: client.send === 'id_token',
  }
}

async function fetchJson<Body>(
  address: string,
  server: string,
  signal: AbortSignal,
): Promise<Body> {
  let response: Response
  try {
    response = await fetch(address, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
  } catch (error) {
    signal.throwIfAborted()
    throw new CliError(`can't reach ${server}`, {
      code: 'unreachable',
      why: describeFailure(error),
      next: 'check the address and the network: slipway doctor',
      cause: error,
    })
  }
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && type.startsWith('application/json')) return (await response.json()) as Body
  throw new CliError(`${server} is not a Slipway server, or an older one`, {
    code: 'no_metadata',
    why: `${address} returned ${response.status}`,
    next: 'check the address, for example https://slipway.example.com',
  })
}
