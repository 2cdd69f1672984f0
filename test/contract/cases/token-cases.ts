import {
  badBodies,
  INVALID,
  INVALID_HTTP,
  NOWHERE,
  refusals,
  unwantedBodies,
} from './case-parts.ts'
import type { Case } from './case.ts'
import type { World } from '../support/catalog-fixture.ts'

const CREATE = 'POST /accounts/{account}/tokens'
const LIST = 'GET /accounts/{account}/tokens'
const REVOKE = 'DELETE /accounts/{account}/tokens/{token_id}'
const UNKNOWN_TOKEN = '00000000-0000-4000-8000-000000000000'
const BAD_NAMES = ['', '-', 'a-', ' a', 'a\nb', 'ü', 'x'.repeat(65)]

/** Cases for every response of the routes about machine tokens that one request can provoke. */
export function tokenCases(world: World): Case[] {
  return [...creations(world), ...lists(world), ...revocations(world)]
}

/** A token is revoked once. */
export function revokingCase({ account, tokens }: World): Case {
  const params = { account, token_id: tokens.revocable.pop() ?? '' }
  return { route: REVOKE, status: 200, caller: 'admin', params }
}

function creations({ account, tokens }: World): Case[] {
  const params = { account }
  const good: Case = { route: CREATE, status: 201, caller: 'admin', params, body: { name: 'x' } }
  return [
    ...refusals(good),
    ...badBodies(CREATE, 'owner', params),
    ...BAD_NAMES.map((name) => ({ ...good, ...INVALID, body: { name } })),
    { ...good, ...INVALID, body: {} },
    { ...good, ...INVALID_HTTP, body: { name: 'x', role: 'boss' } },
    { ...good, ...INVALID, body: { name: 'x', role: 'owner' } },
    { ...good, status: 400, code: 'token_name_taken', body: { name: tokens.name } },
    { ...good, status: 404, code: 'account_not_found', params: { account: NOWHERE } },
  ]
}

function lists({ account }: World): Case[] {
  const good: Case = { route: LIST, status: 200, caller: 'admin', params: { account } }
  return [
    good,
    ...refusals(good),
    { ...good, ...INVALID_HTTP, params: { account: 'a\0b' } },
    { ...good, status: 404, code: 'account_not_found', params: { account: NOWHERE } },
  ]
}

function revocations({ account }: World): Case[] {
  const params = { account, token_id: UNKNOWN_TOKEN }
  const unknown: Case = {
    route: REVOKE,
    status: 404,
    code: 'token_not_found',
    caller: 'admin',
    params,
  }
  return [
    unknown,
    ...refusals(unknown),
    ...unwantedBodies(REVOKE, 'owner', params),
    { ...unknown, params: { account, token_id: 'no-such-token' } },
    { ...unknown, ...INVALID_HTTP, params: { account, token_id: 'a\0b' } },
    { ...unknown, code: 'account_not_found', params: { ...params, account: NOWHERE } },
  ]
}
