/** How a command line signs people in at an issuer: the device flow with a public client. */
export interface LoginClient {
  readonly clientId: string
  /** The scopes to request. */
  readonly scopes: readonly string[]
  /** The `audience` parameter of the request; undefined: the issuer needs none. */
  readonly audience: string | undefined
  /** Whether the issuer takes the parameter `resource` (RFC 8707) with the URL of the API. */
  readonly takesResource?: boolean
}

/** With `offline_access`, most issuers return a refresh token. */
const DEFAULT_SCOPES = ['openid', 'profile', 'email', 'offline_access']
/** https://www.rfc-editor.org/rfc/rfc6749#section-3.3 */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/**
 * Parses the member `login` of an issuer: `{client_id, scopes?, audience?, resource?}`. Throws an
 * Error that names the invalid member. `clients` are the clients whose tokens are accepted.
 */
export function parseLoginClient(
  value: unknown,
  path: string,
  clients: readonly string[] | undefined,
): LoginClient | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null) throw new Error(`${path} must be an object`)
  const {
    client_id: clientId,
    scopes = DEFAULT_SCOPES,
    audience,
    resource = false,
  } = value as Record<string, unknown>
  if (typeof clientId !== 'string' || clientId === '')
    throw new Error(`${path}.client_id must be a non-empty string`)
  if (clients !== undefined && !clients.includes(clientId))
    throw new Error(`${path}.client_id must be one of clients, or its tokens are rejected`)
  const isList = Array.isArray(scopes) && scopes.length > 0
  if (!isList || !scopes.every((scope) => typeof scope === 'string' && SCOPE.test(scope)))
    throw new Error(`${path}.scopes must be a list of at least one scope`)
  if (audience !== undefined && (typeof audience !== 'string' || audience === ''))
    throw new Error(`${path}.audience must be a non-empty string`)
  if (typeof resource !== 'boolean') throw new Error(`${path}.resource must be true or false`)
  return {
    clientId,
    scopes: scopes as string[],
    audience,
    ...(resource && { takesResource: true }),
  }
}
