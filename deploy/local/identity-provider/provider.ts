import Provider, { errors } from 'oidc-provider'
import type {
  ClientMetadata,
  Configuration,
  KoaContextWithOIDC,
  ResourceServer,
} from 'oidc-provider'
import {
  COMMAND_LINE_CLIENT,
  SERVICE_AUDIENCE,
  SHORT_LIVED_CLIENT,
  tokenLifetime,
  USER_AUDIENCE,
  type DevelopmentUser,
} from './identities.ts'
import type { ProviderKeys } from './keys.ts'
import { codeConfirmPage, codeInputPage, messagePage } from './pages.ts'

/** Options of the development identity provider. */
export interface ProviderOptions {
  readonly issuer: string
  readonly keys: ProviderKeys
  /** Secrets of the confidential clients (the services), by client id. */
  readonly serviceSecrets: Readonly<Record<string, string>>
  /** The users who can sign in. */
  readonly users: readonly DevelopmentUser[]
  /** Whether a proxy in front sets X-Forwarded-Proto and X-Forwarded-Host. */
  readonly trustProxy?: boolean
}

const API_SCOPE = 'api'

/**
 * Creates the provider: device flow for users, client credentials for services, and JWT access
 * tokens for both.
 */
export function createProvider(options: ProviderOptions): Provider {
  const services = Object.keys(options.serviceSecrets)
  const configuration: Configuration = {
    clients: [
      publicClient(COMMAND_LINE_CLIENT, 'The Slipway command line'),
      publicClient(SHORT_LIVED_CLIENT, 'A command line with short-lived tokens'),
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
      'accountId' in token ? claimsOf(options.users, token.accountId) : undefined,
    loadExistingGrant,
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
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
            client.clientId === SHORT_LIVED_CLIENT ? tokenLifetime.short : tokenLifetime.usual,
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
