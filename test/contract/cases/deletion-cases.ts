import {
  INVALID,
  INVALID_HTTP,
  NOWHERE,
  refusals,
  signedOut,
  unwantedBodies,
} from './case-parts.ts'
import type { Case } from './case.ts'
import type { World } from '../support/catalog-fixture.ts'

const BUILD = 'DELETE /agents/{account}/{name}/builds/{build_id}'
const AGENT = 'DELETE /agents/{account}/{name}'
const ACCOUNT = 'DELETE /accounts/{account}'
const DRY = { dry_run: 'true' }

/** Cases for every response of the routes that delete; they are dry runs, so nothing changes. */
export function deletionCases(world: World): Case[] {
  return [...builds(world), ...agents(world), ...accounts(world)]
}

function builds({ account, published, hidden, yanked }: World): Case[] {
  const params = { account, name: published, build_id: 'b2' }
  const good: Case = { route: BUILD, status: 200, caller: 'admin', params, query: DRY }
  const missing = (code: string, changed: Partial<typeof params>): Case => ({
    ...good,
    status: 404,
    code,
    params: { ...params, ...changed },
  })
  const kept = { status: 400, code: 'build_published' } as const
  return [
    good,
    ...refusals(good),
    ...unwantedBodies(BUILD, 'owner', params),
    { ...good, ...INVALID_HTTP, query: { dry_run: 'maybe' } },
    { ...good, ...INVALID, params: { ...params, build_id: '-x' } },
    { ...good, ...INVALID, params: { ...params, name: 'Not A Name' } },
    { ...good, ...kept, params: { ...params, build_id: 'b1' } },
    { ...good, ...kept, params: { account, name: yanked, build_id: 'y1' } },
    { ...good, status: 400, code: 'last_build', params: { account, name: hidden, build_id: 'h1' } },
    missing('account_not_found', { account: NOWHERE }),
    missing('agent_not_found', { name: 'no-such-agent' }),
    missing('build_not_found', { build_id: 'no-such-build' }),
  ]
}

function agents({ account, published, hidden, yanked }: World): Case[] {
  const good: Case = {
    route: AGENT,
    status: 200,
    caller: 'admin',
    params: { account, name: hidden },
    query: DRY,
    service: 'deployer',
  }
  const published400 = { status: 400, code: 'agent_published' } as const
  const missing = { status: 404, code: 'agent_not_found' } as const
  return [
    good,
    ...refusals(good),
    ...unwantedBodies(AGENT, 'owner', { account, name: hidden }),
    { ...good, ...INVALID_HTTP, query: { dry_run: 'maybe' } },
    { ...good, ...INVALID, params: { account, name: 'Not A Name' } },
    { ...good, ...published400, params: { account, name: published } },
    { ...good, ...published400, params: { account, name: yanked } },
    { ...good, ...missing, params: { account, name: 'no-such-agent' } },
    { ...good, ...missing, code: 'account_not_found', params: { account: NOWHERE, name: hidden } },
  ]
}

function accounts({ account, spare }: World): Case[] {
  const good: Case = {
    route: ACCOUNT,
    status: 200,
    caller: 'owner',
    params: { account: spare },
    query: DRY,
    service: 'deployer',
  }
  const denied = { status: 403, code: 'permission_denied' } as const
  return [
    good,
    ...signedOut(good),
    { ...good, ...denied, caller: 'stranger' },
    { ...good, ...denied, caller: 'admin', params: { account } },
    ...unwantedBodies(ACCOUNT, 'owner', { account: spare }),
    { ...good, ...INVALID_HTTP, query: { dry_run: 'maybe' } },
    { ...good, status: 400, code: 'account_published', params: { account } },
    { ...good, status: 404, code: 'account_not_found', params: { account: NOWHERE } },
  ]
}
