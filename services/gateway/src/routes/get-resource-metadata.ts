import type { Issuer, IssuerSetting } from '@slipway/shared/auth'

import type { GatewayContext } from '../context.ts'
import type { App } from '../http/app-type.ts'
import { HttpProblem } from '../http/problem.ts'
import { API_PATH, METADATA_PATH, publicOrigin } from '../http/requests/public-origin.ts'

/**
 * `GET /.well-known/oauth-protected-resource` and `…/api/v1`: where a client gets a token for this
 * API, and with which client id (RFC 9728). The resource is that of the request: the whole host, or
 * the API.
 */
export function addGetResourceMetadataRoutes(app: App, { config }: GatewayContext): void {
  const metadata = metadataOf(config.issuers.filter(isOfPeople))
  for (const resource of ['', API_PATH]) {
    app.get(`${METADATA_PATH}${resource}`, { schema: { hide: true } }, (request) => {
      const origin = publicOrigin(request)
      if (origin === undefined)
        throw new HttpProblem(400, 'invalid_argument', 'the Host header is not valid')
      return {
        resource: `${origin}${resource}`,
        ...metadata,
        resource_documentation: `${origin}/docs`,
      }
    })
  }
}

/** `slipway_login` is an extension: how a command line signs people in at each issuer. */
function metadataOf(issuers: readonly Issuer[]) {
  const logins = issuers.flatMap(({ issuer, login, acceptsIdTokens }) =>
    login === undefined
      ? []
      : {
          issuer,
          client_id: login.clientId,
          scopes: login.scopes,
          ...(login.audience === undefined ? {} : { audience: login.audience }),
          ...(login.takesResource === true ? { takes_resource: true } : {}),
          // Issuers whose ID tokens are accepted have no other JWTs.
          send: acceptsIdTokens === true ? 'id_token' : 'access_token',
        },
  )
  const scopes = new Set(logins.flatMap((login) => login.scopes))
  return {
    authorization_servers: [...new Set(issuers.map(({ issuer }) => issuer))],
    // A list without elements must be left out.
    ...(scopes.size === 0 ? {} : { scopes_supported: [...scopes] }),
    bearer_methods_supported: ['header'],
    resource_name: 'Slipway',
    slipway_login: logins,
  }
}

function isOfPeople(setting: IssuerSetting): setting is Issuer {
  return setting.kind === 'user' && 'issuer' in setting
}
