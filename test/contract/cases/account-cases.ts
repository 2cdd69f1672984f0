import {
  badBodies,
  badKey,
  INVALID,
  INVALID_HTTP,
  NOWHERE,
  refusals,
  signedOut,
  unwantedBodies,
} from './case-parts.ts'
import type { Case } from './case.ts'
import type { World, WorldWithPreviousName } from '../support/catalog-fixture.ts'

const CREATE = 'POST /accounts'
const RENAME = 'PUT /accounts/{account}'
const MEMBERS = 'GET /accounts/{account}/members'
const USAGE = 'GET /accounts/{account}/usage'
const PUT = 'PUT /accounts/{account}/members/{user_id}'
const DELETE = 'DELETE /accounts/{account}/members/{user_id}'
const UNKNOWN_USER = '00000000-0000-4000-8000-000000000000'
const BAD_NAMES = ['Not A Name', 'a', 'x'.repeat(40), 'a--b', 'a-', '1st', 'a_b', 'api', 'settings']

/** Cases for every response of the routes about accounts. */
export function accountCases(world: WorldWithPreviousName): Case[] {
  return [
    ...profiles(),
    ...names(world),
    ...members(world),
    ...usage(world),
    ...additions(world),
    ...removals(world),
  ]
}

function profiles(): Case[] {
  const good: Case = { route: 'GET /me', status: 200, caller: 'stranger' }
  return [good, { ...good, caller: 'owner' }, ...signedOut(good)]
}

function names({ account, held }: WorldWithPreviousName): Case[] {
  // Taken: never created.
  const create: Case = { route: CREATE, status: 201, caller: 'stranger', body: { name: account } }
  const taken = { status: 400, code: 'account_name_taken' } as const
  const renamed: Case = {
    route: RENAME,
    status: 200,
    caller: 'admin',
    params: { account },
    body: { name: account },
  }
  return [
    { ...create, ...taken },
    { ...create, ...taken, body: { name: held } },
    ...BAD_NAMES.map((name) => ({ ...create, ...INVALID, body: { name } })),
    { ...create, ...INVALID, body: { name: '' } },
    { ...create, ...INVALID, body: {} },
    ...signedOut(create),
    ...badBodies(CREATE, 'stranger', {}),
    badKey(create),
    renamed,
    ...refusals(renamed),
    ...badBodies(RENAME, 'owner', { account }),
    ...BAD_NAMES.map((name) => ({ ...renamed, ...INVALID, body: { name } })),
    { ...renamed, ...INVALID, body: {} },
    { ...renamed, ...taken, body: { name: held } },
    { ...renamed, status: 404, code: 'account_not_found', params: { account: NOWHERE } },
    // The previous name is free immediately.
    {
      ...renamed,
      caller: 'owner',
      status: 404,
      code: 'account_not_found',
      params: { account: held },
    },
  ]
}

function usage({ account }: World): Case[] {
  const good: Case = { route: USAGE, status: 200, caller: 'member', params: { account } }
  return [
    good,
    ...signedOut(good),
    { ...good, ...INVALID_HTTP, params: { account: 'a\0b' } },
    { ...good, caller: 'stranger', status: 403, code: 'permission_denied' },
    { ...good, status: 404, code: 'account_not_found', params: { account: NOWHERE } },
  ]
}

function members({ account }: World): Case[] {
  const good: Case = { route: MEMBERS, status: 200, caller: 'member', params: { account } }
  return [
    good,
    { ...good, query: { limit: '1' } },
    ...signedOut(good),
    ...['0', '1001', 'x'].map((limit) => ({ ...good, ...INVALID_HTTP, query: { limit } })),
    { ...good, ...INVALID, query: { cursor: 'nonsense' } },
    { ...good, ...INVALID_HTTP, params: { account: 'a\0b' } },
    { ...good, caller: 'stranger', status: 403, code: 'permission_denied' },
    {
      ...good,
      caller: 'stranger',
      status: 404,
      code: 'account_not_found',
      params: { account: NOWHERE },
    },
  ]
}

function additions({ account, ids }: World): Case[] {
  const params = { account, user_id: ids.member }
  const good: Case = { route: PUT, status: 200, caller: 'admin', params, body: { role: 'member' } }
  return [
    good,
    ...refusals({ ...good, body: { role: 'admin' } }),
    // Members confirm their own membership by assigning their role.
    { ...good, caller: 'member' },
    ...badBodies(PUT, 'owner', params),
    ...[{}, { role: '' }, { role: 'boss' }, { role: 'OWNER' }].map((body) => ({
      ...good,
      ...INVALID,
      body,
    })),
    // Admins can't make or remove owners.
    { ...good, status: 403, code: 'permission_denied', body: { role: 'owner' } },
    { ...good, status: 403, code: 'permission_denied', params: { account, user_id: ids.owner } },
    {
      ...good,
      caller: 'owner',
      status: 400,
      code: 'last_owner',
      params: { account, user_id: ids.owner },
      body: { role: 'admin' },
    },
    { ...good, status: 404, code: 'account_not_found', params: { ...params, account: NOWHERE } },
    { ...good, status: 404, code: 'user_not_found', params: { account, user_id: UNKNOWN_USER } },
    { ...good, status: 404, code: 'user_not_found', params: { account, user_id: 'no-such-user' } },
  ]
}

function removals({ account, ids }: World): Case[] {
  const params = { account, user_id: ids.member }
  const good: Case = { route: DELETE, status: 200, caller: 'owner', params }
  return [
    ...unwantedBodies(DELETE, 'owner', params),
    ...signedOut(good),
    { ...good, caller: 'stranger', status: 403, code: 'permission_denied' },
    {
      ...good,
      caller: 'admin',
      status: 403,
      code: 'permission_denied',
      params: { account, user_id: ids.owner },
    },
    { ...good, status: 400, code: 'last_owner', params: { account, user_id: ids.owner } },
    { ...good, ...INVALID_HTTP, params: { account, user_id: 'a\0b' } },
    { ...good, status: 404, code: 'account_not_found', params: { ...params, account: NOWHERE } },
    { ...good, status: 404, code: 'member_not_found', params: { account, user_id: ids.stranger } },
    { ...good, status: 404, code: 'user_not_found', params: { account, user_id: UNKNOWN_USER } },
  ]
}
