import { ingestionRows } from './ingestion-cases.ts'
import { observabilityRows } from './observability-rows.ts'
import { ask, buildBody, type Caller, type World } from '../support/catalog-fixture.ts'

type Statuses = Readonly<Record<Caller, number>>

/** A row of the matrix: a request, and the status that each caller gets. */
export interface MatrixRow {
  readonly route: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: (caller: Caller) => unknown
  readonly expected: Statuses
  /** Undoes what a successful request has changed. */
  readonly restore?: () => Promise<unknown>
}

/** The caller must be signed in; a bad token counts as no token. */
function signedIn(owner: number, admin: number, member: number, stranger: number): Statuses {
  return { owner, admin, member, stranger, anonymous: 401, expired: 401, forged: 401 }
}

/** No token is needed; a bad token counts as no token. */
function anybody(insider: number, outsider: number): Statuses {
  const outsiders = { stranger: outsider, anonymous: outsider, expired: outsider, forged: outsider }
  return { owner: insider, admin: insider, member: insider, ...outsiders }
}

/** A row, at least, for every route. */
export function matrixRows({ account, published, hidden, ids }: World): MatrixRow[] {
  const shown = { account, name: published }
  const unpublished = { account, name: hidden }
  const deployment = { account, name: 'never-deployed' }
  // Members pass the check of their role, and there is no deployment.
  const ofDeployment = signedIn(404, 404, 404, 403)
  const inNamespace = { namespace: 'no-such-namespace' }
  const owned = `?account=${account}`
  const deploy = () => deployment
  const addMember = () =>
    ask('PUT', `/accounts/${account}/members/${ids.member}`, 'owner', { body: { role: 'member' } })
  return [
    { route: 'GET /agents', expected: anybody(200, 200) },
    { route: 'GET /agents/{account}', params: { account }, expected: anybody(200, 200) },
    { route: 'GET /agents/{account}/{name}', params: shown, expected: anybody(200, 200) },
    { route: 'GET /agents/{account}/{name}', params: unpublished, expected: anybody(200, 404) },
    {
      route: 'POST /agents/{account}/{name}/register',
      params: shown,
      body: () => buildBody(published, 'b3'),
      expected: signedIn(201, 201, 403, 403),
    },
    {
      route: 'POST /agents/{account}/{name}/register',
      params: { account, name: 'made-by-caller' },
      body: (caller) => ({ ...buildBody('made-by-caller', 'b'), build_id: caller }),
      expected: signedIn(201, 201, 403, 403),
    },
    {
      route: 'POST /agents/{account}/{name}/publish',
      params: shown,
      body: () => ({ build_id: 'b1', version: '1.0.0' }),
      expected: signedIn(201, 201, 403, 403),
    },
    {
      route: 'POST /agents/{account}/{name}/versions/{version}/yank',
      params: { ...shown, version: '1.0.0' },
      expected: signedIn(200, 200, 403, 403),
    },
    {
      route: 'POST /agents/{account}/{name}/versions/{version}/unyank',
      params: { ...shown, version: '1.0.0' },
      expected: signedIn(200, 200, 403, 403),
    },
    {
      route: 'DELETE /agents/{account}/{name}/builds/{build_id}',
      params: { ...shown, build_id: 'b2' },
      query: '?dry_run=true',
      expected: signedIn(200, 200, 403, 403),
    },
    {
      route: 'DELETE /agents/{account}/{name}',
      params: unpublished,
      query: '?dry_run=true',
      expected: signedIn(200, 200, 403, 403),
    },
    {
      route: 'DELETE /agents/{account}/{name}',
      params: { account, name: 'no-such-agent' },
      expected: signedIn(404, 404, 403, 403),
    },
    {
      route: 'GET /agents/{account}/{name}/config',
      params: shown,
      expected: signedIn(200, 200, 200, 200),
    },
    {
      route: 'GET /agents/{account}/{name}/config',
      params: unpublished,
      expected: signedIn(200, 200, 200, 404),
    },
    {
      route: 'GET /agents/{account}/{name}/deployment-template',
      params: shown,
      expected: signedIn(200, 200, 200, 200),
    },
    {
      route: 'GET /agents/{account}/{name}/deployment-template',
      params: unpublished,
      expected: signedIn(200, 200, 200, 404),
    },
    {
      route: 'GET /agents/{account}/{name}/deployment-template',
      params: shown,
      query: '?build=b2',
      expected: signedIn(200, 200, 200, 404),
    },
    { route: 'GET /schemas/astroai.schema.json', expected: anybody(200, 200) },
    { route: 'GET /me', expected: signedIn(200, 200, 200, 200) },
    {
      route: 'POST /accounts',
      body: (caller) => ({ name: `${account.slice(-8)}x-${caller}`.replace(/^\d/, 'a') }),
      expected: signedIn(201, 201, 201, 201),
    },
    {
      route: 'PUT /accounts/{account}',
      params: { account },
      body: () => ({ name: account }),
      expected: signedIn(200, 200, 403, 403),
    },
    {
      route: 'DELETE /accounts/{account}',
      params: { account },
      // It has published versions.
      expected: signedIn(400, 403, 403, 403),
    },
    {
      route: 'GET /accounts/{account}/members',
      params: { account },
      expected: signedIn(200, 200, 200, 403),
    },
    {
      route: 'GET /accounts/{account}/usage',
      params: { account },
      expected: signedIn(200, 200, 200, 403),
    },
    {
      route: 'PUT /accounts/{account}/members/{user_id}',
      params: { account, user_id: ids.member },
      body: () => ({ role: 'member' }),
      // The member confirms their own membership.
      expected: signedIn(200, 200, 200, 403),
    },
    {
      route: 'PUT /accounts/{account}/members/{user_id}',
      params: { account, user_id: ids.stranger },
      body: () => ({ role: 'owner' }),
      expected: { ...signedIn(200, 403, 403, 403) },
      restore: () => ask('DELETE', `/accounts/${account}/members/${ids.stranger}`, 'owner'),
    },
    {
      route: 'DELETE /accounts/{account}/members/{user_id}',
      params: { account, user_id: ids.member },
      // Members may leave.
      expected: signedIn(200, 200, 200, 403),
      restore: addMember,
    },
    {
      route: 'DELETE /accounts/{account}/members/{user_id}',
      params: { account, user_id: ids.owner },
      expected: signedIn(400, 403, 403, 403),
    },
    {
      route: 'GET /accounts/{account}/tokens',
      params: { account },
      expected: signedIn(200, 200, 403, 403),
    },
    {
      route: 'POST /accounts/{account}/tokens',
      params: { account },
      body: (caller) => ({ name: `made by ${caller}` }),
      expected: signedIn(201, 201, 403, 403),
    },
    {
      route: 'DELETE /accounts/{account}/tokens/{token_id}',
      params: { account, token_id: ids.owner },
      // There is none with this id.
      expected: signedIn(404, 404, 403, 403),
    },
    { route: 'POST /deploy', body: deploy, expected: ofDeployment },
    { route: 'POST /deploy/validate', body: deploy, expected: ofDeployment },
    { route: 'POST /undeploy', body: deploy, expected: ofDeployment },
    { route: 'GET /deployments', query: owned, expected: signedIn(200, 200, 200, 403) },
    {
      route: 'GET /agents/{account}/{name}/deployment',
      params: deployment,
      expected: ofDeployment,
    },
    ...['revisions', 'revisions/{revision}', 'events'].map((below) => ({
      route: `GET /agents/{account}/{name}/deployment/${below}`,
      params: { ...deployment, revision: '1' },
      expected: ofDeployment,
    })),
    {
      route: 'GET /agents/{account}/{name}/deployment/logs',
      params: deployment,
      expected: ofDeployment,
    },
    {
      route: 'POST /agents/{account}/{name}/deployment/rollback',
      params: deployment,
      body: () => ({}),
      expected: ofDeployment,
    },
    {
      route: 'POST /agents/{account}/{name}/deployment/rotate-ingest-token',
      params: deployment,
      expected: ofDeployment,
    },
    {
      route: 'GET /deployments/{namespace}/logs',
      params: inNamespace,
      query: `${owned}&pod=p`,
      expected: signedIn(403, 403, 403, 403),
    },
    {
      route: 'GET /deployments/{namespace}/configmap/{cmname}',
      params: { ...inNamespace, cmname: 'c' },
      query: owned,
      expected: ofDeployment,
    },
    {
      route: 'POST /deployments/{namespace}/pods/{pod}/restart',
      params: { ...inNamespace, pod: 'p' },
      query: owned,
      expected: signedIn(403, 403, 403, 403),
    },
    {
      route: 'POST /deployments/{namespace}/ingestion/{ingestion}/trigger',
      params: { ...inNamespace, ingestion: 'i' },
      query: owned,
      expected: ofDeployment,
    },
    ...ingestionRows(deployment, ofDeployment),
    ...observabilityRows(deployment, signedIn(200, 200, 200, 403), ofDeployment),
  ]
}
