import { growingSpec } from '../../support/hostile-specs.ts'
import {
  badBodies,
  badKey,
  INVALID,
  INVALID_HTTP,
  NOWHERE,
  refusals,
  unwantedBodies,
} from './case-parts.ts'
import type { Case } from './case.ts'
import { buildBody, type World } from '../support/catalog-fixture.ts'

const REGISTER = 'POST /agents/{account}/{name}/register'
const PUBLISH = 'POST /agents/{account}/{name}/publish'
const DIGEST = `sha256:${'a1'.repeat(32)}`
const COMMIT = {
  id: 'c'.repeat(40),
  branch: 'main',
  message: 'Answer shorter',
  has_changes: true,
  ci_run_url: 'https://ci.example/runs/1',
}

/** Cases for every response of the routes that change agents. */
export function buildCases(world: World): Case[] {
  return [
    ...registrations(world),
    ...publications(world),
    ...yanks(world, 'yank'),
    ...yanks(world, 'unyank'),
  ]
}

function registrations({ account, published }: World): Case[] {
  const params = { account, name: published }
  const body = buildBody(published, 'b2')
  const good: Case = { route: REGISTER, status: 201, caller: 'admin', params, body }
  const withField = (field: string, value: string | Readonly<Record<string, string>>) => ({
    ...good,
    body: { ...body, [field]: value },
  })
  const without = (field: keyof typeof body) => {
    const { [field]: _, ...rest } = body
    return { ...good, body: rest }
  }
  return [
    good,
    // The same request again, and a spec with warnings.
    good,
    {
      ...good,
      params: { account, name: 'warned' },
      body: {
        ...body,
        spec_content: 'spec: astro/v1\nagent: {}\n',
        image_digests: { 'registry.example/contract/warned:b2': DIGEST },
        commit: COMMIT,
      },
    },
    {
      route: 'GET /agents/{account}/{name}',
      status: 200,
      caller: 'member',
      params: { account, name: 'warned' },
    },
    { route: 'GET /agents/{account}', status: 200, caller: 'member', params: { account } },
    { ...withField('visibility', 'public'), isHttpOnly: true },
    ...refusals(good),
    ...badBodies(REGISTER, 'owner', params),
    badKey(good),
    ...(['build_id', 'registry', 'spec_content'] as const).flatMap((field) => [
      { ...without(field), ...INVALID },
      { ...withField(field, ''), ...INVALID },
    ]),
    ...['Not A Name', 'x'.repeat(64), '.dot'].map((name) => ({
      ...good,
      ...INVALID,
      params: { account, name },
    })),
    ...['no tag', '-x', 'x'.repeat(129)].map((id) => ({
      ...withField('build_id', id),
      ...INVALID,
    })),
    ...['file:///etc', 'ftp://r.example', 'r.example/a?b', 'r.example/a b'].map((registry) => ({
      ...withField('registry', registry),
      ...INVALID,
    })),
    ...[{ 'registry.example/other:1': DIGEST }, { [`registry.example/${published}:1`]: 'x' }].map(
      (digests) => ({ ...withField('image_digests', digests), ...INVALID }),
    ),
    ...[{ id: 'HEAD' }, { branch: 'x'.repeat(256) }, { ci_run_url: 'javascript:x' }].map(
      (wrong) => ({
        ...good,
        ...INVALID,
        body: { ...body, commit: { ...COMMIT, ...wrong } },
        isHttpOnly: true,
      }),
    ),
    { ...withField('spec_content', '- a\n- list\n'), status: 400, code: 'invalid_spec' },
    { ...withField('spec_content', growingSpec()), status: 400, code: 'template_too_large' },
    { ...withField('build_id', 'b1'), status: 400, code: 'build_published' },
    {
      ...good,
      status: 400,
      code: 'build_published',
      body: {
        ...buildBody(published, 'b1', 'for everybody to see'),
        registry: 'oci://other.example',
      },
    },
    { ...withField('spec_content', `a: ${'x'.repeat(300_000)}`), status: 413, code: 'too_large' },
    { ...withField('readme', 'x'.repeat(600_000)), status: 413, code: 'too_large' },
    { ...good, status: 404, code: 'account_not_found', params: { account: NOWHERE, name: 'x' } },
  ]
}

function publications({ account, published, hidden }: World): Case[] {
  const params = { account, name: published }
  const body = { build_id: 'b1', version: '1.0.0' }
  const good: Case = { route: PUBLISH, status: 201, caller: 'admin', params, body }
  return [
    good,
    ...refusals(good),
    ...badBodies(PUBLISH, 'owner', params),
    badKey(good),
    ...['v1.0.0', '1.0', '01.0.0', '1.0.0-', `1.0.0-${'x'.repeat(128)}`, ''].map((version) => ({
      ...good,
      ...INVALID,
      body: { ...body, version },
    })),
    ...['no tag', ''].map((id) => ({ ...good, ...INVALID, body: { ...body, build_id: id } })),
    // The order of the checks: token, shape of the request, account, role, agent.
    {
      ...good,
      caller: 'anonymous',
      status: 401,
      code: 'token_required',
      body: { ...body, version: 'v1' },
    },
    {
      ...good,
      ...INVALID,
      caller: 'stranger',
      params: { account: NOWHERE, name: 'x' },
      body: { ...body, version: 'v1' },
    },
    {
      ...good,
      caller: 'stranger',
      status: 404,
      code: 'account_not_found',
      params: { account: NOWHERE, name: 'x' },
    },
    {
      ...good,
      caller: 'stranger',
      status: 403,
      code: 'permission_denied',
      params: { account, name: 'no-such-agent' },
    },
    { ...good, ...INVALID, params: { account, name: 'Not A Name' } },
    { ...good, status: 400, code: 'build_published', body: { ...body, version: '1.0.1' } },
    { ...good, status: 400, code: 'build_published', body: { ...body, version: '1.0.0+again' } },
    { ...good, status: 400, code: 'version_taken', body: { build_id: 'b2', version: '1.0.0' } },
    {
      ...good,
      status: 400,
      code: 'version_taken',
      body: { build_id: 'b2', version: '1.0.0+again' },
    },
    { ...good, status: 404, code: 'account_not_found', params: { account: NOWHERE, name: 'x' } },
    { ...good, status: 404, code: 'agent_not_found', params: { account, name: 'no-such-agent' } },
    { ...good, status: 404, code: 'build_not_found', body: { ...body, build_id: 'no-such-build' } },
    { ...good, status: 404, code: 'build_not_found', params: { account, name: hidden } },
  ]
}

function yanks({ account, published }: World, action: string): Case[] {
  const route = `POST /agents/{account}/{name}/versions/{version}/${action}`
  const params = { account, name: published, version: '1.0.0' }
  const good: Case = { route, status: 200, caller: 'admin', params }
  return [
    good,
    good,
    ...refusals(good),
    ...unwantedBodies(route, 'owner', params),
    badKey(good),
    { ...good, ...INVALID, params: { ...params, version: 'v1' } },
    { ...good, ...INVALID, params: { ...params, name: 'Not A Name' } },
    { ...good, ...INVALID_HTTP, params: { ...params, version: '1.0.0\0' } },
    { ...good, status: 404, code: 'version_not_found', params: { ...params, version: '9.9.9' } },
    {
      ...good,
      status: 404,
      code: 'version_not_found',
      params: { ...params, version: '1.0.0+metadata' },
    },
    { ...good, status: 404, code: 'agent_not_found', params: { ...params, name: 'no-such-agent' } },
    { ...good, status: 404, code: 'account_not_found', params: { ...params, account: NOWHERE } },
  ]
}
