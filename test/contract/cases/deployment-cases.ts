import { randomUUID } from 'node:crypto'

import type { Case } from './case.ts'
import { CREDENTIALS, type DeploymentWorld } from '../support/deployment-fixture.ts'
import type { Caller } from '../support/catalog-fixture.ts'

/** A case whose body may be any JSON. */
export interface DeploymentCase extends Omit<Case, 'body'> {
  readonly body?: unknown
  /** The answer goes on; only its beginning is looked at. */
  readonly isStream?: boolean
}

const JSON_TYPE = { 'content-type': 'application/json' }
const TEXT_BODY = { rawBody: 'name=x', headers: { 'content-type': 'text/plain' }, isHttpOnly: true }
const LARGE_BODY = {
  rawBody: `{"x":"${'x'.repeat(1_100_000)}"}`,
  headers: JSON_TYPE,
  isHttpOnly: true,
}
const WRONG_TYPES = { rawBody: '[]', headers: JSON_TYPE, isHttpOnly: true }
const BAD_KEY = { headers: { 'idempotency-key': 'no blanks' }, isHttpOnly: true }
const NOWHERE = 'no-such-account'
const INVALID = { status: 400, code: 'invalid_argument' } as const

function bodies(good: DeploymentCase): DeploymentCase[] {
  const { body: _, ...rest } = good
  return [
    { ...rest, status: 413, code: 'too_large', ...LARGE_BODY },
    { ...rest, status: 415, code: 'unsupported_media_type', ...TEXT_BODY },
  ]
}

function refusals(good: DeploymentCase): DeploymentCase[] {
  return [
    { ...good, caller: 'anonymous', status: 401, code: 'token_required' },
    { ...good, caller: 'stranger', status: 403, code: 'permission_denied' },
  ]
}

/**
 * Every code of every route of deployments that can be provoked with all parts up and a single
 * request.
 */
export function deploymentCases(world: DeploymentWorld): DeploymentCase[] {
  return [...deploys(world), ...reads(world), ...changes(world), ...inspections(world)]
}

function deploys({ account, running, stuck, fresh, hidden }: DeploymentWorld): DeploymentCase[] {
  const target = { account, name: running, user_credentials: CREDENTIALS }
  return ['POST /deploy', 'POST /deploy/validate'].flatMap((route): DeploymentCase[] => {
    const good: DeploymentCase = { route, status: 200, caller: 'member', body: target }
    const { body: _, ...bare } = good
    const invalid = (body: object): DeploymentCase => ({
      ...good,
      status: 400,
      code: 'validation_failed',
      body: { ...target, ...body },
    })
    return [
      good,
      ...refusals(good),
      ...bodies(good),
      { ...bare, ...INVALID, ...WRONG_TYPES },
      { ...good, ...INVALID, body: { ...target, name: '' } },
      { ...good, ...INVALID, body: { ...target, schedules: { nightly: 5 } }, isHttpOnly: true },
      { ...good, ...INVALID, body: { ...target, interfaces: 'web' }, isHttpOnly: true },
      { ...good, ...INVALID, body: { ...target, account: 'a\0b' }, isHttpOnly: true },
      invalid({ user_credentials: { 'no name': 'x' } }),
      invalid({ user_credentials: { SUPPORT_API_TOKEN: '' } }),
      invalid({ interfaces: ['telepathy'] }),
      invalid({ schedules: { nightly: '@hourly' } }),
      invalid({ schedules: { docs: '0 3 * * *' } }),
      invalid({ schedules: { nothing: '0 3 * * *' } }),
      invalid({ overrides: { 'agent.image': 'x' } }),
      { ...good, status: 404, code: 'account_not_found', body: { ...target, account: NOWHERE } },
      { ...good, status: 404, code: 'no_builds', body: { account, name: 'no-such-agent' } },
      { ...good, status: 404, body: { account, name: hidden, source_account: NOWHERE } },
      {
        ...good,
        status: 404,
        code: 'no_builds',
        body: { account, name: 'x', source_account: 'alice' },
      },
      ...(route === 'POST /deploy'
        ? [
            { ...good, status: 207, query: { wait: '1' }, body: { account, name: stuck } },
            { ...good, ...INVALID, query: { wait: '301' } },
            { ...good, ...INVALID, query: { wait: '1.5' }, isHttpOnly: true },
            { ...good, ...INVALID, ...BAD_KEY },
          ]
        : [
            { ...good, query: { dry_run: 'server' } },
            { ...good, body: { account, name: fresh } },
            { ...good, ...INVALID, query: { dry_run: 'client' }, isHttpOnly: true },
          ]),
    ]
  })
}

function reads({ account, running, fresh }: DeploymentWorld): DeploymentCase[] {
  const list: DeploymentCase = {
    route: 'GET /deployments',
    status: 200,
    caller: 'member',
    query: { account },
  }
  const below = (path: string, more: Partial<DeploymentCase> = {}): DeploymentCase[] => {
    const route = `GET /agents/{account}/{name}/deployment${path}`
    const good: DeploymentCase = {
      route,
      status: 200,
      caller: 'member',
      params: { account, name: running },
      ...more,
    }
    const { isStream: _, ...plain } = good
    return [
      good,
      ...refusals(plain),
      { ...plain, ...INVALID, params: { account, name: 'a\0b' }, isHttpOnly: true },
      {
        ...plain,
        status: 404,
        code: 'account_not_found',
        params: { account: NOWHERE, name: running },
      },
      { ...plain, status: 404, code: 'deployment_not_found', params: { account, name: fresh } },
    ]
  }
  const [revisions] = below('/revisions')
  const paged = [list, ...(revisions === undefined ? [] : [revisions])].flatMap(
    (good): DeploymentCase[] => [
      { ...good, query: { ...good.query, limit: '1' } },
      { ...good, ...INVALID, query: { ...good.query, limit: '1001' } },
      { ...good, ...INVALID, query: { ...good.query, limit: '0' }, isHttpOnly: true },
      ...['nonsense!', 'AA', 'MA', 'LTE', 'OTk5OTk5OTk5OTk5OQ'].map((cursor): DeploymentCase => ({
        ...good,
        ...INVALID,
        query: { ...good.query, cursor },
      })),
    ],
  )
  return [
    list,
    ...refusals(list),
    { ...list, ...INVALID, query: {} },
    { ...list, status: 404, code: 'account_not_found', query: { account: NOWHERE } },
    // Names of agents have cursors, too, so a number is one of them.
    ...paged.filter(
      ({ route, query }) =>
        route !== list.route ||
        !['LTE', 'MA', 'OTk5OTk5OTk5OTk5OQ'].includes(query?.['cursor'] ?? ''),
    ),
    ...below(''),
    ...below('/revisions'),
    ...below('/events', { isStream: true }),
    ...below('/events', {
      isStream: true,
      headers: { 'last-event-id': `${randomUUID()}:1` },
    }).slice(0, 1),
    ...['first', '1', `${randomUUID()}:`, `${randomUUID()}:-1`].flatMap((last) =>
      below('/events', { headers: { 'last-event-id': last } })
        .slice(0, 1)
        .map((each): DeploymentCase => ({ ...each, ...INVALID, isHttpOnly: true })),
    ),
  ]
}

function changes({ account, stuck, fresh }: DeploymentWorld): DeploymentCase[] {
  const undeploy: DeploymentCase = {
    route: 'POST /undeploy',
    status: 404,
    code: 'deployment_not_found',
    caller: 'member',
    body: { account, name: fresh },
  }
  const rollback: DeploymentCase = {
    route: 'POST /agents/{account}/{name}/deployment/rollback',
    status: 200,
    caller: 'member',
    params: { account, name: stuck },
  }
  const rotate: DeploymentCase = {
    route: 'POST /agents/{account}/{name}/deployment/rotate-ingest-token',
    status: 200,
    caller: 'member',
    params: { account, name: stuck },
  }
  const below = (good: DeploymentCase): DeploymentCase[] => [
    good,
    ...refusals(good),
    ...bodies(good),
    { ...good, ...INVALID, ...BAD_KEY },
    { ...good, ...INVALID, params: { account, name: 'a\0b' }, isHttpOnly: true },
    { ...good, status: 404, code: 'account_not_found', params: { account: NOWHERE, name: stuck } },
    { ...good, status: 404, code: 'deployment_not_found', params: { account, name: fresh } },
  ]
  return [
    undeploy,
    ...refusals(undeploy),
    ...bodies(undeploy),
    { ...undeploy, ...INVALID, body: { account, name: '' } },
    { ...undeploy, ...INVALID, body: { account, name: 5 }, isHttpOnly: true },
    { ...undeploy, ...INVALID, ...BAD_KEY },
    { ...undeploy, code: 'account_not_found', body: { account: NOWHERE, name: fresh } },
    ...below({ ...rollback, body: { revision: 1 } }),
    { ...rollback, body: {} },
    { ...rollback },
    { ...rollback, status: 207, query: { wait: '1' }, body: { revision: 1 } },
    { ...rollback, ...INVALID, body: { revision: 0 } },
    { ...rollback, ...INVALID, body: { revision: '1' }, isHttpOnly: true },
    { ...rollback, ...INVALID, query: { wait: '301' } },
    { ...rollback, status: 404, code: 'revision_not_found', body: { revision: 999 } },
    ...below(rotate),
  ]
}

function inspections(world: DeploymentWorld): DeploymentCase[] {
  const { account, namespace, pod, configMap, stuckPod, foreignNamespace } = world
  const route = (path: string) =>
    `${path.slice(0, path.indexOf(' '))} /deployments/{namespace}/${path.slice(path.indexOf(' ') + 1)}`
  const logs: DeploymentCase = {
    route: route('GET logs'),
    status: 200,
    caller: 'member',
    params: { namespace },
    query: { account, pod },
  }
  const configMaps: DeploymentCase = {
    route: route('GET configmap/{cmname}'),
    status: 200,
    caller: 'member',
    params: { namespace, cmname: configMap },
    query: { account },
  }
  const restart: DeploymentCase = {
    route: route('POST pods/{pod}/restart'),
    status: 404,
    code: 'pod_not_found',
    caller: 'member',
    params: { namespace, pod: 'no-such-pod' },
    query: { account },
  }
  const trigger: DeploymentCase = {
    route: route('POST ingestion/{ingestion}/trigger'),
    status: 200,
    caller: 'member',
    params: { namespace, ingestion: 'docs' },
    query: { account },
  }
  const asked = (query: Record<string, string>): DeploymentCase => ({
    ...logs,
    query: { ...logs.query, ...query },
  })
  /** What all of them have in common; `foreign` is how a namespace of others is answered. */
  const common = (good: DeploymentCase, foreign: Partial<DeploymentCase>): DeploymentCase[] => [
    good,
    ...refusals(good),
    { ...good, ...INVALID, query: { ...good.query, account: '' } },
    { ...good, ...INVALID, params: { ...good.params, namespace: 'a\0b' }, isHttpOnly: true },
    { ...good, status: 404, code: 'account_not_found', query: { ...good.query, account: NOWHERE } },
    ...[foreignNamespace, 'no-such-namespace', 'kube-system', 'slipway-system', '../../nodes'].map(
      (other): DeploymentCase => ({
        ...good,
        ...foreign,
        params: { ...good.params, namespace: other },
      }),
    ),
  ]
  const forbidden = { status: 403, code: 'permission_denied' } as const
  const missing = { status: 404, code: 'namespace_not_found' } as const
  return [
    ...common(logs, forbidden),
    asked({ container: 'agent', tailLines: '5000', sinceSeconds: '31622400', timestamps: 'true' }),
    ...['0', '5001', '-1', '1.5', 'NaN', ''].map((tailLines): DeploymentCase => ({
      ...asked({ tailLines }),
      ...INVALID,
      // By RPC 0 stands for the default, and nothing but a whole number can be sent.
      ...(tailLines === '5001' || tailLines === '-1' ? {} : { isHttpOnly: true }),
    })),
    { ...asked({ sinceSeconds: '31622401' }), ...INVALID },
    { ...asked({ sinceSeconds: '0' }), ...INVALID, isHttpOnly: true },
    { ...asked({ follow: 'perhaps' }), ...INVALID, isHttpOnly: true },
    { ...asked({ pod: '' }), ...INVALID },
    { ...asked({ pod: 'no-such-pod' }), status: 404, code: 'pod_not_found' },
    { ...asked({ pod: '../../secrets' }), status: 404, code: 'pod_not_found' },
    { ...asked({ pod: stuckPod }), status: 404, code: 'pod_not_found' },
    { ...asked({ container: 'no-such-container' }), status: 404, code: 'container_not_found' },
    { ...asked({ previous: 'true' }), status: 400, code: 'log_unavailable' },
    ...common(configMaps, missing),
    ...['no-such-map', 'kube-root-ca.crt', '../secrets', 'Not A Name'].map(
      (cmname): DeploymentCase => ({
        ...configMaps,
        status: 404,
        code: 'config_map_not_found',
        params: { namespace, cmname },
      }),
    ),
    ...common(restart, forbidden),
    ...bodies(restart),
    { ...restart, ...INVALID, ...BAD_KEY },
    { ...restart, params: { namespace, pod: stuckPod } },
    { ...restart, params: { namespace, pod: '..' }, isHttpOnly: true, code: 'route_not_found' },
    ...common(trigger, missing),
    ...bodies(trigger),
    { ...trigger, ...INVALID, ...BAD_KEY },
    {
      ...trigger,
      status: 400,
      code: 'ingestion_not_manual',
      params: { namespace, ingestion: 'nightly' },
    },
    ...['nothing', 'toString', '__proto__'].map((ingestion): DeploymentCase => ({
      ...trigger,
      status: 404,
      code: 'ingestion_not_found',
      params: { namespace, ingestion },
    })),
  ]
}

/** What takes something away, and so is made for each way it is asked. */
export function removingCases(
  { account, stuck, stuckNamespace, stuckPod }: DeploymentWorld,
  caller: Caller = 'member',
): DeploymentCase[] {
  return [
    {
      route: 'POST /deployments/{namespace}/pods/{pod}/restart',
      status: 200,
      caller,
      params: { namespace: stuckNamespace, pod: stuckPod },
      query: { account },
    },
    { route: 'POST /undeploy', status: 200, caller, body: { account, name: stuck } },
  ]
}
