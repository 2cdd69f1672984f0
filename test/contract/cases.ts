import { randomBytes } from 'node:crypto'

import { buildBody, type Caller, type World } from './world.ts'

/** One request and what it must be answered with. */
export interface Case {
  /** As the API document names it, without `/api/v1`. */
  readonly route: string
  readonly status: number
  /** The problem's machine word. */
  readonly code?: string
  readonly caller: Caller
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, string>>
  readonly rawBody?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Decided by the gateway from what only HTTP has; there is no such RPC. */
  readonly isHttpOnly?: boolean
}

const TEXT_BODY = { rawBody: 'name=x', headers: { 'content-type': 'text/plain' }, isHttpOnly: true }
const LARGE_BODY = {
  rawBody: `{"x":"${'x'.repeat(1_100_000)}"}`,
  headers: { 'content-type': 'application/json' },
  isHttpOnly: true,
}
const WRONG_TYPES = { rawBody: '[]', headers: { 'content-type': 'application/json' }, isHttpOnly: true }
const BAD_KEY = { headers: { 'idempotency-key': 'no blanks' }, isHttpOnly: true }
const NOWHERE = 'no-such-account'

/** A name that nobody has used. */
export function freshName(prefix: string): string {
  return `${prefix}-${randomBytes(4).toString('hex')}`
}

/** What every route that takes a body answers to one that is none. */
function badBodies(route: string, caller: Caller, params: Readonly<Record<string, string>>): Case[] {
  return [
    { route, status: 400, code: 'invalid_argument', caller, params, ...WRONG_TYPES },
    ...unwantedBodies(route, caller, params),
  ]
}

/** What every route but a GET answers to a body that it can't take, even where it wants none. */
function unwantedBodies(route: string, caller: Caller, params: Readonly<Record<string, string>>): Case[] {
  return [
    { route, status: 413, code: 'too_large', caller, params, ...LARGE_BODY },
    { route, status: 415, code: 'unsupported_media_type', caller, params, ...TEXT_BODY },
  ]
}

/** What every route answers to who may not. */
function refusals(good: Case): Case[] {
  return [
    { ...good, caller: 'anonymous', status: 401, code: 'token_required' },
    { ...good, caller: 'member', status: 403, code: 'permission_denied' },
    { ...good, caller: 'stranger', status: 403, code: 'permission_denied' },
  ]
}

/** Every code of every route of the catalog that can be provoked with all parts up and a single request. */
export function casesOf(world: World): Case[] {
  return [...reads(world), ...writes(world), ...accounts(world)]
}

function reads({ account, published, hidden }: World): Case[] {
  const shown = { account, name: published }
  const detail = 'GET /agents/{account}/{name}'
  const config = 'GET /agents/{account}/{name}/config'
  const template = 'GET /agents/{account}/{name}/deployment-template'
  return [
    { route: 'GET /agents', status: 200, caller: 'anonymous' },
    {
      route: 'GET /agents',
      status: 200,
      caller: 'stranger',
      query: { limit: '5', q: 'agent', include: 'spec,readme' },
    },
    {
      route: 'GET /agents',
      status: 400,
      code: 'invalid_argument',
      caller: 'anonymous',
      query: { limit: '0' },
      isHttpOnly: true,
    },
    { route: 'GET /agents', status: 400, code: 'invalid_argument', caller: 'anonymous', query: { cursor: 'nonsense' } },
    { route: 'GET /agents/{account}', status: 200, caller: 'anonymous', params: { account } },
    { route: 'GET /agents/{account}', status: 200, caller: 'member', params: { account } },
    {
      route: 'GET /agents/{account}',
      status: 400,
      code: 'invalid_argument',
      caller: 'anonymous',
      params: { account },
      query: { cursor: 'nonsense' },
    },
    {
      route: 'GET /agents/{account}',
      status: 404,
      code: 'account_not_found',
      caller: 'anonymous',
      params: { account: NOWHERE },
    },
    { route: detail, status: 200, caller: 'anonymous', params: shown },
    { route: detail, status: 200, caller: 'member', params: { account, name: hidden } },
    {
      route: detail,
      status: 400,
      code: 'invalid_argument',
      caller: 'anonymous',
      params: { account, name: 'a\0b' },
      isHttpOnly: true,
    },
    {
      route: detail,
      status: 404,
      code: 'account_not_found',
      caller: 'anonymous',
      params: { account: NOWHERE, name: 'x' },
    },
    { route: detail, status: 404, code: 'agent_not_found', caller: 'stranger', params: { account, name: hidden } },
    { route: config, status: 200, caller: 'stranger', params: shown, query: { interfaces: 'web,unknown' } },
    {
      route: config,
      status: 400,
      code: 'invalid_argument',
      caller: 'member',
      params: { account, name: 'a\0b' },
      isHttpOnly: true,
    },
    { route: config, status: 401, code: 'token_required', caller: 'anonymous', params: shown },
    { route: config, status: 404, caller: 'stranger', params: { account, name: hidden } },
    {
      route: config,
      status: 404,
      code: 'account_not_found',
      caller: 'member',
      params: { account: NOWHERE, name: 'x' },
    },
    { route: template, status: 200, caller: 'stranger', params: shown, query: { format: 'json' } },
    { route: template, status: 200, caller: 'member', params: shown, query: { build: 'b1', format: 'json' } },
    {
      route: template,
      status: 400,
      code: 'invalid_argument',
      caller: 'member',
      params: shown,
      query: { build: '' },
      isHttpOnly: true,
    },
    { route: template, status: 401, code: 'token_required', caller: 'anonymous', params: shown },
    {
      route: template,
      status: 404,
      code: 'build_not_found',
      caller: 'stranger',
      params: shown,
      query: { build: 'b2' },
    },
    { route: template, status: 404, caller: 'stranger', params: { account, name: hidden } },
    { route: 'GET /me', status: 200, caller: 'stranger' },
    { route: 'GET /me', status: 401, code: 'token_required', caller: 'anonymous' },
  ]
}

function writes({ account, published, hidden }: World): Case[] {
  const register = 'POST /agents/{account}/{name}/register'
  const publish = 'POST /agents/{account}/{name}/publish'
  const shown = { account, name: published }
  const build = buildBody(published, 'b2')
  const version = { build_id: 'b1', version: '1.0.0' }
  const registered: Case = { route: register, status: 201, caller: 'admin', params: shown, body: build }
  const republished: Case = { route: publish, status: 201, caller: 'admin', params: shown, body: version }
  const invalid = { status: 400, code: 'invalid_argument' } as const
  return [
    registered,
    ...refusals(registered),
    ...badBodies(register, 'owner', shown),
    { ...registered, ...invalid, params: { account, name: 'Not A Name' } },
    { ...registered, ...invalid, body: { ...build, build_id: 'no tag' } },
    { ...registered, ...invalid, body: { ...build, registry: 'file:///etc' } },
    { ...registered, status: 400, code: 'invalid_spec', body: { ...build, spec_content: '- a\n- list\n' } },
    {
      ...registered,
      status: 400,
      code: 'build_published',
      body: { ...build, build_id: 'b1', registry: 'oci://other.example' },
    },
    { ...registered, status: 413, code: 'too_large', body: { ...build, spec_content: `a: ${'x'.repeat(300_000)}` } },
    { ...registered, status: 413, code: 'too_large', body: { ...build, readme: 'x'.repeat(600_000) } },
    { ...registered, status: 404, code: 'account_not_found', params: { account: NOWHERE, name: 'x' } },
    { ...registered, ...invalid, ...BAD_KEY },
    republished,
    ...refusals(republished),
    ...badBodies(publish, 'owner', shown),
    { ...republished, ...invalid, body: { ...version, version: 'v1.0.0' } },
    { ...republished, status: 400, code: 'build_published', body: { ...version, version: '1.0.1' } },
    { ...republished, status: 400, code: 'version_taken', body: { build_id: 'b2', version: '1.0.0+again' } },
    { ...republished, status: 404, code: 'account_not_found', params: { account: NOWHERE, name: 'x' } },
    { ...republished, status: 404, code: 'agent_not_found', params: { account, name: 'no-such-agent' } },
    { ...republished, status: 404, code: 'build_not_found', body: { ...version, build_id: 'no-such-build' } },
    { ...republished, status: 404, code: 'build_not_found', params: { account, name: hidden }, body: version },
    ...['yank', 'unyank'].flatMap((action) =>
      yanks(`POST /agents/{account}/{name}/versions/{version}/${action}`, shown),
    ),
  ]
}

function yanks(route: string, shown: { account: string; name: string }): Case[] {
  const good: Case = { route, status: 200, caller: 'admin', params: { ...shown, version: '1.0.0' } }
  return [
    good,
    ...refusals(good),
    ...unwantedBodies(route, 'owner', good.params ?? {}),
    { ...good, status: 400, code: 'invalid_argument', ...BAD_KEY },
    { ...good, status: 404, code: 'version_not_found', params: { ...shown, version: '9.9.9' } },
    { ...good, status: 404, code: 'account_not_found', params: { account: NOWHERE, name: 'x', version: '1.0.0' } },
  ]
}

function accounts({ account, ids }: World): Case[] {
  const create = 'POST /accounts'
  const rename = 'PUT /accounts/{account}'
  const members = 'GET /accounts/{account}/members'
  const put = 'PUT /accounts/{account}/members/{user_id}'
  const remove = 'DELETE /accounts/{account}/members/{user_id}'
  const renamed: Case = { route: rename, status: 200, caller: 'admin', params: { account }, body: { name: account } }
  const added: Case = {
    route: put,
    status: 200,
    caller: 'admin',
    params: { account, user_id: ids.member },
    body: { role: 'member' },
  }
  const removed: Case = { route: remove, status: 200, caller: 'owner', params: { account, user_id: ids.member } }
  return [
    { route: create, status: 400, code: 'account_name_taken', caller: 'stranger', body: { name: account } },
    { route: create, status: 400, code: 'invalid_argument', caller: 'stranger', body: { name: 'Not A Name' } },
    { route: create, status: 401, code: 'token_required', caller: 'anonymous', body: { name: 'some-team' } },
    ...badBodies(create, 'stranger', {}),
    renamed,
    ...refusals(renamed),
    ...badBodies(rename, 'owner', { account }),
    { ...renamed, status: 400, code: 'invalid_argument', body: { name: 'api' } },
    { ...renamed, status: 404, code: 'account_not_found', params: { account: NOWHERE } },
    { route: members, status: 200, caller: 'member', params: { account } },
    {
      route: members,
      status: 400,
      code: 'invalid_argument',
      caller: 'member',
      params: { account: 'a\0b' },
      isHttpOnly: true,
    },
    { route: members, status: 401, code: 'token_required', caller: 'anonymous', params: { account } },
    { route: members, status: 403, code: 'permission_denied', caller: 'stranger', params: { account } },
    { route: members, status: 404, code: 'account_not_found', caller: 'stranger', params: { account: NOWHERE } },
    added,
    ...refusals(added),
    ...badBodies(put, 'owner', { account, user_id: ids.member }),
    { ...added, status: 403, code: 'permission_denied', body: { role: 'owner' } },
    { ...added, status: 404, code: 'account_not_found', params: { account: NOWHERE, user_id: ids.member } },
    {
      ...added,
      status: 404,
      code: 'user_not_found',
      params: { account, user_id: '00000000-0000-4000-8000-000000000000' },
    },
    ...unwantedBodies(remove, 'owner', { account, user_id: ids.member }),
    { ...removed, caller: 'anonymous', status: 401, code: 'token_required' },
    { ...removed, caller: 'stranger', status: 403, code: 'permission_denied' },
    { ...removed, status: 400, code: 'last_owner', params: { account, user_id: ids.owner } },
    { ...removed, status: 404, code: 'account_not_found', params: { account: NOWHERE, user_id: ids.member } },
    { ...removed, status: 404, code: 'member_not_found', params: { account, user_id: ids.stranger } },
  ]
}

/** What makes something of its own, and so gives its name to each way it is asked. */
export function makingCases({ account, ids }: World): Case[] {
  return [
    { route: 'POST /accounts', status: 201, caller: 'stranger', body: { name: freshName('team') } },
    {
      route: 'DELETE /accounts/{account}/members/{user_id}',
      status: 200,
      caller: 'owner',
      params: { account, user_id: ids.member },
    },
  ]
}

/** Path and query of a case, below `/api/v1`. */
export function pathOf({ route, params = {}, query = {} }: Pick<Case, 'route' | 'params' | 'query'>): string {
  const template = route.slice(route.indexOf(' ') + 1)
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return Object.keys(query).length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`
}

/** The method of a case. */
export function methodOf({ route }: Pick<Case, 'route'>): string {
  return route.slice(0, route.indexOf(' '))
}
