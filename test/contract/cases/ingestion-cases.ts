import type { DeploymentWorld } from '../support/deployment-fixture.ts'
import {
  BAD_KEY,
  bodies,
  INVALID,
  NOWHERE,
  refusals,
  type DeploymentCase,
} from './deployment-case.ts'

const INGESTIONS = '/agents/{account}/{name}/deployment/ingestions'

/** The routes of ingestions. */
const INGESTION_ROUTES = [
  `GET ${INGESTIONS}`,
  `GET ${INGESTIONS}/{ingestion}/runs`,
  `POST ${INGESTIONS}/{ingestion}/runs`,
  `POST ${INGESTIONS}/{ingestion}/runs/{run}/cancel`,
  `POST ${INGESTIONS}/{ingestion}/suspend`,
  `POST ${INGESTIONS}/{ingestion}/resume`,
]

/** The rows of the access matrix for the routes of ingestions. */
export function ingestionRows<Expected>(params: Record<string, string>, expected: Expected) {
  const all = { ...params, ingestion: 'i', run: 'r' }
  return INGESTION_ROUTES.map((route) => ({ route, params: all, expected }))
}

/** Cases of the ingestions of a deployment and of their runs. */
export function ingestionCases({
  account,
  running,
  fresh,
  run,
}: DeploymentWorld): DeploymentCase[] {
  const below = (short: string, params: Record<string, string> = {}): DeploymentCase => {
    const [method, path = ''] = short.split(' ')
    return {
      route: `${method} ${INGESTIONS}${path}`,
      status: 200,
      caller: 'member',
      params: { account, name: running, ...params },
    }
  }
  const list = below('GET ')
  const runs = below('GET /{ingestion}/runs', { ingestion: 'docs' })
  const start = below('POST /{ingestion}/runs', { ingestion: 'docs' })
  const cancel = below('POST /{ingestion}/runs/{run}/cancel', { ingestion: 'docs', run })
  const suspend = below('POST /{ingestion}/suspend', { ingestion: 'nightly' })
  const resume = below('POST /{ingestion}/resume', { ingestion: 'nightly' })
  const withParams = (good: DeploymentCase, params: Record<string, string>): DeploymentCase => ({
    ...good,
    params: { ...good.params, ...params },
  })
  const common = (good: DeploymentCase): DeploymentCase[] => [
    good,
    ...refusals(good),
    { ...withParams(good, { name: 'a\0b' }), ...INVALID, isHttpOnly: true },
    { ...withParams(good, { account: NOWHERE }), status: 404, code: 'account_not_found' },
    { ...withParams(good, { name: fresh }), status: 404, code: 'deployment_not_found' },
  ]
  const unknown = (good: DeploymentCase): DeploymentCase[] =>
    ['nothing', 'toString', '__proto__'].map((ingestion) => ({
      ...withParams(good, { ingestion }),
      status: 404,
      code: 'ingestion_not_found',
    }))
  const ofOne = [runs, start, cancel, suspend, resume]
  const changes = [start, cancel, suspend, resume]
  return [
    ...[list, ...ofOne].flatMap(common),
    ...ofOne.flatMap(unknown),
    ...changes.flatMap(bodies),
    ...changes.map((good): DeploymentCase => ({ ...good, ...INVALID, ...BAD_KEY })),
    { ...runs, query: { limit: '1' } },
    { ...runs, ...INVALID, query: { limit: '101' } },
    { ...runs, ...INVALID, query: { limit: '0' }, isHttpOnly: true },
    ...['nonsense!', 'AA', 'MA'].map((cursor): DeploymentCase => ({
      ...runs,
      ...INVALID,
      query: { cursor },
    })),
    { ...withParams(cancel, { run: 'no-such-run' }), status: 404, code: 'ingestion_run_not_found' },
    ...[suspend, resume].map((good): DeploymentCase => ({
      ...withParams(good, { ingestion: 'docs' }),
      status: 400,
      code: 'ingestion_not_scheduled',
    })),
  ]
}
