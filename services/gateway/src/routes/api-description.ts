import type { IssuerSetting } from '@slipway/shared/auth'
import { VERSION } from '@slipway/shared/version'

import type { ApiDescription } from '../http/plugins/openapi.ts'

const overview = (
  issuers: readonly IssuerSetting[],
) => `Slipway takes an AI agent from a registered build to an observed deployment.

## Get a token

Send \`Authorization: Bearer TOKEN\` with a token of an identity provider that this installation
accepts:

${issuers.flatMap(describeIssuer).join('\n')}

[Identity providers](/docs/guide/identity-providers.md) shows how to get one with the device flow,
and [the metadata](/.well-known/oauth-protected-resource/api/v1) has the client id. On the local
stack, \`./dev token alice\` prints one. Public operations need none. To try operations on this
page, paste the token after **Authorize**.

## A first deploy

1. \`GET /api/v1/me\` shows your accounts. The first call creates your personal account.
2. \`POST /api/v1/agents/{account}/{name}/register\` registers a build, and \`publish\` makes a
   version of it visible to everyone.
3. \`GET /api/v1/agents/{account}/{name}/config\` lists the credentials that a deployment needs.
4. \`POST /api/v1/deploy/validate\` checks a deploy, and \`POST /api/v1/deploy?wait=120\`
   deploys and waits until the agent is ready.
5. \`GET /api/v1/agents/{account}/{name}/deployment\` says what runs, and what is wrong.

The [guides](/docs/guide) continue from here: [Your first agent](/docs/guide/first-agent.md) leads
from an empty folder to a running agent, and [When something fails](/docs/guide/failures.md) lists
what failures mean.

## Conventions

- **Errors** are problem details (RFC 9457). \`code\` is for programs, \`detail\` for people,
  and \`validation_errors\` lists all invalid fields.
- **Lists** have pages: send \`next_cursor\` as \`cursor\` to get the next one. Everything is
  sorted by code point.
- **Times** are RFC 3339 in UTC with milliseconds.
- **Retries**: a POST with an \`Idempotency-Key\` is executed once; repeating it within 24 hours
  returns the first response. If a response has \`Retry-After\`, the same request may succeed
  later.
- **Caching**: every JSON response to a GET has an entity tag for \`If-None-Match\`.
- **Unknown fields** of a request body and unknown query parameters are ignored. Deploying,
  validating and registering list them in \`warnings\`, and reject them with \`?strict=true\`.
`

function describeIssuer(setting: IssuerSetting): string[] {
  if (setting.kind !== 'user' || !('issuer' in setting)) return []
  const { issuer, audience, acceptsIdTokens } = setting
  const kind = acceptsIdTokens === true ? 'access or ID tokens' : 'access tokens'
  const forAudience = audience === undefined ? '' : ` for the audience \`${audience}\``
  return [`- ${kind} of \`${issuer}\`${forAudience}`]
}

/** What the API document says about the whole API. `issuers` are the configured ones. */
export const apiDescription = (issuers: readonly IssuerSetting[]): ApiDescription => ({
  info: {
    title: 'Slipway API',
    version: VERSION,
    summary: 'Agent catalog, deployment and observability',
    description: overview(issuers),
    contact: { name: 'The operator of this installation' },
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  tags: [
    { name: 'agents', description: 'The catalog: agents, their builds and versions' },
    { name: 'deployments', description: 'Deploying agents, and inspecting what runs' },
    { name: 'observability', description: 'Traces and metrics of agents' },
    { name: 'accounts', description: 'The caller, accounts, members and limits' },
    { name: 'schemas', description: 'Schemas of files' },
  ],
})
