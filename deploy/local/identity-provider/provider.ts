import Provider, { errors, interactionPolicy } from 'oidc-provider'
import type {
  ClientMetadata,
  Configuration,
  KoaContextWithOIDC,
  ResourceServer,
} from 'oidc-provider'
import {
  COMMAND_LINE_CLIENT,
  CONSOLE_CLIENT,
  NAMELESS_CLIENT,
  SERVICE_AUDIENCE,
  SHORT_LIVED_CLIENT,
  SHORT_LIVED_CONSOLE_CLIENT,
  tokenLifetime,
  USER_AUDIENCE,
  type DevelopmentUser,
} from './identities.ts'
import type { ProviderKeys } from './keys.ts'
import { codeConfirmPage, codeInputPage, messagePage } from './pages.ts'
import { userInfoOfApiTokens } from './user-info.ts'

/** Options of the development identity provider. */
export interface ProviderOptions {
  readonly issuer: string
  readonly keys: ProviderKeys
  /** Secrets of the confidential clients (the services), by client id. */
  readonly serviceSecrets: Readonly<Record<string, string>>
  /** The users who can sign in. */
  readonly users: readonly DevelopmentUser[]
  /** Where browsers may return after a sign-in; default: `/auth/callback` on this host. */
  readonly consoleRedirects?: readonly string[]
  /** Whether a proxy in front sets X-Forwarded-Proto and X-Forwarded-Host. */
  readonly trustProxy?: boolean
}

const API_SCOPE = 'api'
/** How often a device may ask for its tokens; clients ask every five seconds without it. */
const DEVICE_INTERVAL_S = 1
const CONSOLE_CLIENTS = [CONSOLE_CLIENT, SHORT_LIVED_CONSOLE_CLIENT]
const SHORT_LIVED_CLIENTS = [SHORT_LIVED_CLIENT, SHORT_LIVED_CONSOLE_CLIENT]
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Creates the provider: device flow and authorization code flow for users, client credentials for
 * services, and JWT access tokens for all.
 */
export function createProvider(options: ProviderOptions): Provider {
  const services = Object.keys(options.serviceSecrets)
  const configuration: Configuration = {
    clients: [
      publicClient(COMMAND_LINE_CLIENT, 'The Slipway command line'),
      publicClient(SHORT_LIVED_CLIENT, 'A command line with short-lived tokens'),
      publicClient(NAMELESS_CLIENT, 'A command line whose tokens have no names'),
      ...CONSOLE_CLIENTS.map((id) => consoleClient(id, options.consoleRedirects ?? [])),
      ...Object.entries(options.serviceSecrets).map(([id, secret]) => serviceClient(id, secret)),
    ],
    jwks: { keys: options.keys.jwks.keys.map((key) => ({ ...key, kty: key.kty ?? '' })) },
    cookies: { keys: [...options.keys.cookieKeys] },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'given_name', 'family_name', 'name'],
      email: ['email', 'email_verified'],
    },
    scopes: ['openid', 'offline_access', 'profile', 'email'],
    findAccount: (_context, subject) => {
      const claims = claimsOf(options.users, subject)
      return claims && { accountId: subject, claims: () => ({ sub: subject, ...claims }) }
    },
    // Access tokens contain the user's names. The catalog derives the name of a new user's account
    // from them.
    extraTokenClaims: (_context, token) =>
      'accountId' in token && token.clientId !== NAMELESS_CLIENT
        ? claimsOf(options.users, token.accountId)
        : undefined,
    loadExistingGrant,
    interactions: {
      policy: withoutConsent(),
      url: (_context, interaction) => `/interaction/${interaction.uid}`,
    },
    pkce: { required: () => true },
    // The provider asks no one for consent, so it drops the scope offline_access of browsers.
    issueRefreshToken: (_context, client, source) =>
      CONSOLE_CLIENTS.includes(client.clientId) ||
      (client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access')),
    expiresWithSession: () => false,
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      // `slipway logout` revokes the refresh token.
      revocation: { enabled: true },
      deviceFlow: {
        enabled: true,
        userCodeInputSource: (context, form, _out, error) => {
          context.body = codeInputPage(
            form,
            error && 'This code is unknown, already used or expired. Try again.',
          )
        },
        userCodeConfirmSource: (context, form, client, _deviceInfo, userCode) => {
          context.body = codeConfirmPage(form, client.clientName ?? client.clientId, userCode)
        },
        successSource: (context) => {
          context.body = messagePage(
            'Signed in',
            'You can close this page and go back to your device.',
          )
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_context, client) =>
          services.includes(client.clientId) ? SERVICE_AUDIENCE : USER_AUDIENCE,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource, client) => {
          const expected = services.includes(client.clientId) ? SERVICE_AUDIENCE : USER_AUDIENCE
          if (resource !== expected) throw new errors.InvalidTarget()
          return resourceServer(
            resource,
            SHORT_LIVED_CLIENTS.includes(client.clientId)
              ? tokenLifetime.short
              : tokenLifetime.usual,
          )
        },
      },
    },
    ttl: {
      AccessToken: (_context, token) => token.resourceServer?.accessTokenTTL ?? tokenLifetime.usual,
      ClientCredentials: (_context, token) =>
        token.resourceServer?.accessTokenTTL ?? tokenLifetime.usual,
      DeviceCode: 600,
      Interaction: 600,
      Session: 3600,
      Grant: 14 * 24 * 3600,
      IdToken: tokenLifetime.usual,
      RefreshToken: 14 * 24 * 3600,
    },
    renderError: (context, out) => {
      context.type = 'html'
      context.body = messagePage('Sign-in failed', out.error_description ?? out.error)
    },
  }
  const provider = new Provider(options.issuer, configuration)
  provider.proxy = options.trustProxy === true
  const { issuer, keys, users } = options
  provider.use(userInfoOfApiTokens(issuer, keys, (subject) => claimsOf(users, subject)))
  provider.use(async (context, next) => {
    await next()
    const isCode = context['oidc']?.route === 'device_authorization' && context.status === 200
    if (isCode) Object.assign(context.body as object, { interval: DEVICE_INTERVAL_S })
  })
  return provider
}

function claimsOf(users: readonly DevelopmentUser[], subject: string) {
  const user = users.find((each) => each.subject === subject)
  if (!user) return undefined
  return {
    preferred_username: user.username,
    name: `${user.givenName} ${user.familyName}`,
    given_name: user.givenName,
    family_name: user.familyName,
    email: user.email,
    email_verified: true,
  }
}

// A client at any port of this host would need consent each time.
function withoutConsent() {
  const policy = interactionPolicy.base()
  policy.get('consent')?.checks.remove('native_client_prompt')
  return policy
}

// The clients belong to the platform, so users are not asked for consent after they have confirmed
// the code.
async function loadExistingGrant(context: KoaContextWithOIDC) {
  const { client, provider, session } = context.oidc
  if (!client || !session?.accountId) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid profile email offline_access')
  grant.addResourceScope(USER_AUDIENCE, API_SCOPE)
  await grant.save()
  return grant
}

function resourceServer(audience: string, accessTokenTTL: number): ResourceServer {
  return {
    audience,
    accessTokenTTL,
    scope: API_SCOPE,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  }
}

function publicClient(id: string, name: string): ClientMetadata {
  return {
    client_id: id,
    client_name: name,
    token_endpoint_auth_method: 'none',
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    redirect_uris: [],
    response_types: [],
  }
}

/**
 * The gateway as a client of browsers. Without URLs, it is on this host, with any port (RFC 8252,
 * section 7.3).
 */
function consoleClient(id: string, redirects: readonly string[]): ClientMetadata {
  const loopback = LOOPBACK_HOSTS.map((host) => `http://${host}/auth/callback`)
  return {
    client_id: id,
    client_name: 'The Slipway console',
    application_type: redirects.length === 0 ? 'native' : 'web',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: redirects.length === 0 ? loopback : [...redirects],
  }
}

function serviceClient(id: string, secret: string): ClientMetadata {
  return {
    client_id: id,
    client_secret: secret,
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
  }
}
