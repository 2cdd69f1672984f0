import { INVALID, INVALID_HTTP, NOWHERE, signedOut } from './case-parts.ts'
import type { Case } from './case.ts'
import type { World } from '../support/catalog-fixture.ts'

const LIST = 'GET /agents'
const OF_ACCOUNT = 'GET /agents/{account}'
const DETAIL = 'GET /agents/{account}/{name}'
const CONFIG = 'GET /agents/{account}/{name}/config'
const TEMPLATE = 'GET /agents/{account}/{name}/deployment-template'
const MANY_WORDS = 'a1 b2 c3 d4 e5 f6 g7 h8 i9'

/** Cases for every response of the routes that read agents. */
export function agentCases(world: World): Case[] {
  return [...lists(world), ...details(world), ...configs(world), ...templates(world)]
}

function lists({ account }: World): Case[] {
  const list: Case = { route: LIST, status: 200, caller: 'anonymous' }
  const ofAccount: Case = { route: OF_ACCOUNT, status: 200, caller: 'member', params: { account } }
  return [
    list,
    { ...list, caller: 'stranger', query: { limit: '5', q: 'agent', include: 'spec,readme' } },
    { ...list, query: { account, tag: 'contract', include: 'readme, spec' } },
    { ...list, query: { limit: '1' } },
    // The token isn't checked.
    { ...list, caller: 'expired' },
    { ...list, caller: 'forged' },
    ...['0', '1001', '1.5', 'x', ''].map((limit) => ({
      ...list,
      ...INVALID_HTTP,
      query: { limit },
    })),
    { ...list, ...INVALID, query: { cursor: 'nonsense' } },
    { ...list, ...INVALID_HTTP, query: { cursor: '' } },
    { ...list, ...INVALID, query: { q: MANY_WORDS } },
    { ...list, ...INVALID, query: { q: 'x'.repeat(201) } },
    { ...list, ...INVALID_HTTP, query: { tag: 'a\0b' } },
    ofAccount,
    { ...ofAccount, query: { limit: '1' } },
    ...(['stranger', 'anonymous', 'expired', 'forged'] as const).map((caller) => ({
      ...ofAccount,
      caller,
    })),
    { ...ofAccount, ...INVALID, query: { cursor: 'nonsense' } },
    { ...ofAccount, ...INVALID_HTTP, query: { limit: '1001' } },
    { ...ofAccount, status: 404, code: 'account_not_found', params: { account: NOWHERE } },
    {
      ...ofAccount,
      caller: 'anonymous',
      status: 404,
      code: 'account_not_found',
      params: { account: 'No Name' },
    },
  ]
}

function details({ account, published, hidden, yanked }: World): Case[] {
  const shown: Case = {
    route: DETAIL,
    status: 200,
    caller: 'anonymous',
    params: { account, name: published },
  }
  const unpublished = { account, name: hidden }
  return [
    shown,
    ...(['member', 'expired', 'forged'] as const).map((caller) => ({ ...shown, caller })),
    { ...shown, caller: 'member', params: unpublished },
    { ...shown, params: { account, name: yanked } },
    { ...shown, ...INVALID_HTTP, params: { account, name: 'a\0b' } },
    { ...shown, status: 404, code: 'account_not_found', params: { account: NOWHERE, name: 'x' } },
    {
      ...shown,
      caller: 'member',
      status: 404,
      code: 'agent_not_found',
      params: { account, name: 'no-such' },
    },
    {
      ...shown,
      caller: 'member',
      status: 404,
      code: 'agent_not_found',
      params: { account, name: 'No Name' },
    },
    ...(['stranger', 'anonymous', 'expired', 'forged'] as const).map((caller) => ({
      ...shown,
      caller,
      status: 404,
      code: 'agent_not_found',
      params: unpublished,
    })),
  ]
}

function configs({ account, published, hidden, yanked }: World): Case[] {
  const good: Case = {
    route: CONFIG,
    status: 200,
    caller: 'stranger',
    params: { account, name: published },
  }
  return [
    good,
    { ...good, query: { interfaces: 'slack,web,unknown' } },
    { ...good, caller: 'member', params: { account, name: hidden } },
    ...signedOut(good),
    { ...good, ...INVALID_HTTP, params: { account, name: 'a\0b' } },
    ...missing(good, { account, hidden, yanked }),
  ]
}

function templates({ account, published, hidden, yanked }: World): Case[] {
  const params = { account, name: published }
  const good: Case = {
    route: TEMPLATE,
    status: 200,
    caller: 'stranger',
    params,
    query: { format: 'json' },
  }
  return [
    good,
    { ...good, caller: 'member', query: { build: 'b1', format: 'json' } },
    ...signedOut(good),
    { ...good, ...INVALID_HTTP, query: { build: '' } },
    { ...good, status: 404, code: 'build_not_found', query: { build: 'b2' } },
    {
      ...good,
      caller: 'member',
      status: 404,
      code: 'build_not_found',
      query: { build: 'no-such' },
    },
    { ...good, caller: 'member', status: 404, code: 'build_not_found', query: { build: 'no tag' } },
    ...missing(good, { account, hidden, yanked }),
  ]
}

/** The errors of config and template, in the order of the lookups. */
function missing(
  good: Case,
  { account, hidden, yanked }: Pick<World, 'account' | 'hidden' | 'yanked'>,
): Case[] {
  const ofCurrent: Case = { ...good, query: { build_id: 'current' }, service: 'deployer' }
  return [
    { ...good, query: { ...good.query, version: '1.0.0' } },
    { ...good, status: 404, code: 'version_not_found', query: { version: '9.0.0' } },
    { ...good, ...INVALID, query: { version: 'one' } },
    {
      ...good,
      status: 400,
      code: 'version_mismatch',
      query: { build: 'b1', version: '9.0.0' },
    },
    { ...good, ...INVALID_HTTP, query: { build: 'b1', build_id: 'b2' } },
    { ...ofCurrent, status: 403, code: 'permission_denied' },
    { ...ofCurrent, caller: 'member', status: 404, code: 'deployment_not_found' },
    { ...good, status: 404, code: 'account_not_found', params: { account: NOWHERE, name: 'x' } },
    {
      ...good,
      caller: 'member',
      status: 404,
      code: 'agent_not_found',
      params: { account, name: 'no-such' },
    },
    { ...good, status: 404, code: 'agent_not_found', params: { account, name: hidden } },
    { ...good, status: 404, code: 'no_builds', params: { account, name: yanked } },
  ]
}
