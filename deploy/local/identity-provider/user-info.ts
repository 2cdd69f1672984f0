import { createLocalJWKSet, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { USER_AUDIENCE } from './identities.ts'
import type { ProviderKeys } from './keys.ts'

/** Where the discovery document says that userinfo is. */
const PATH = '/me'

/**
 * Answers userinfo requests with an access token for the API, as Okta and others do. oidc-provider
 * takes only tokens without an audience there. `claimsOf` returns what is said about a user.
 */
export function userInfoOfApiTokens(
  issuer: string,
  keys: ProviderKeys,
  claimsOf: (subject: string) => object | undefined,
) {
  const published = createLocalJWKSet({ keys: keys.jwks.keys.map(publicPart) } as JSONWebKeySet)
  return async (context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const [, token] = /^Bearer (\S+)$/i.exec(context.get('authorization')) ?? []
    if (context.path !== PATH || token === undefined) return await next()
    const claims = await verifiedClaims(token)
    if (claims?.sub === undefined) return await next()
    context.set('cache-control', 'no-store')
    context.body = { sub: claims.sub, ...claimsOf(claims.sub) }
  }

  async function verifiedClaims(token: string): Promise<JWTPayload | undefined> {
    try {
      return (await jwtVerify(token, published, { issuer, audience: USER_AUDIENCE })).payload
    } catch {
      return undefined // the provider says what is wrong
    }
  }
}

function publicPart({ kty, kid, alg, use, crv, x, y, n, e }: ProviderKeys['jwks']['keys'][number]) {
  return { kty, kid, alg, use, crv, x, y, n, e }
}
