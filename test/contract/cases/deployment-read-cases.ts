import { randomUUID } from 'node:crypto'

import { INVALID, NOWHERE, refusals, type DeploymentCase } from './deployment-case.ts'
import type { DeploymentWorld } from '../support/deployment-fixture.ts'

/** Cases of reading deployments, their revisions and their events. */
export function readCases({ account, running, fresh }: DeploymentWorld): DeploymentCase[] {
  const list: DeploymentCase = {
    route: 'GET /deployments',
    status: 200,
    caller: 'member',
    query: { account },
  }
  const below = (path: string, more: Partial<DeploymentCase> = {}): DeploymentCase[] => {
    const route = `GET /agents/{account}/{name}/deployment${path}`
    const revision = path.includes('{revision}') ? { revision: '1' } : {}
    const good: DeploymentCase = {
      route,
      status: 200,
      caller: 'member',
      params: { account, name: running, ...revision },
      ...more,
    }
    const { isStream: _, ...plain } = good
    return [
      good,
      ...refusals(plain),
      { ...plain, ...INVALID, params: { account, name: 'a\0b', ...revision }, isHttpOnly: true },
      {
        ...plain,
        status: 404,
        code: 'account_not_found',
        params: { account: NOWHERE, name: running, ...revision },
      },
      {
        ...plain,
        status: 404,
        code: 'deployment_not_found',
        params: { account, name: fresh, ...revision },
      },
    ]
  }
  const [revisions] = below('/revisions')
  const revisionOf = (revision: string) =>
    below('/revisions/{revision}', { params: { account, name: running, revision } }).slice(0, 1)
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
    // A cursor is an agent's name, and a number is one.
    ...paged.filter(
      ({ route, query }) =>
        route !== list.route ||
        !['LTE', 'MA', 'OTk5OTk5OTk5OTk5OQ'].includes(query?.['cursor'] ?? ''),
    ),
    ...below(''),
    ...below('/revisions'),
    ...below('/revisions/{revision}'),
    ...revisionOf('999').map((each): DeploymentCase => ({
      ...each,
      status: 404,
      code: 'revision_not_found',
    })),
    ...['0', 'first', '1.5', '2147483648'].flatMap((revision) =>
      revisionOf(revision).map((each): DeploymentCase => ({
        ...each,
        ...INVALID,
        isHttpOnly: true,
      })),
    ),
    ...below('/logs'),
    ...below('/logs', {
      query: { component: 'agent', since: '2026-01-01T00:00:00Z', tailLines: '1' },
    }).slice(0, 1),
    ...[{ since: 'yesterday' }, { since: '2020-01-01T00:00:00Z' }, { tailLines: '5001' }].map(
      (query): DeploymentCase => ({
        ...(below('/logs', { query }).slice(0, 1)[0] as DeploymentCase),
        ...INVALID,
        ...('since' in query && { isHttpOnly: true }),
      }),
    ),
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
