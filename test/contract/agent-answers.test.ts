import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'

import { freshName } from './cases/case.ts'
import {
  ask,
  buildBody,
  makeWorld,
  read,
  SECRET_WORD,
  type World,
} from './support/catalog-fixture.ts'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const REGISTRY = 'oci://registry.example/contract'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})

/** The parsed spec file of `buildBody`. */
function specOf(name: string, description: string) {
  return {
    spec: 'astro/v1',
    name,
    meta: { description, tags: ['contract'] },
    agent: { image: `registry.example/${name}:1` },
  }
}

// These compare every member of every response.

test('responds with lists of agents', async () => {
  const { account, published, hidden, yanked } = world
  const first = {
    account,
    name: published,
    registry: REGISTRY,
    versions: [
      {
        build_id: 'b1',
        version: '1.0.0',
        description: 'for everybody to see',
        tags: ['contract'],
        published_at: TIME,
      },
    ],
  }
  expect(await read(`/agents?account=${account}`, 'anonymous')).toEqual({
    agents: [first],
    count: 1,
  })
  expect(await read(`/agents/${account}`, 'stranger')).toEqual({ agents: [first], count: 1 })
  const full = await read(`/agents?account=${account}&include=spec,readme`, 'anonymous')
  const content = {
    spec: specOf(published, 'for everybody to see'),
    readme: '# for everybody to see',
  }
  expect(full.agents).toEqual([{ ...first, versions: [{ ...first.versions[0], ...content }] }])
  const secret = { description: SECRET_WORD, tags: ['contract', SECRET_WORD] }
  const latest = (name: string, rest: object) => ({
    account,
    name,
    registry: REGISTRY,
    versions: [{ tags: ['contract'], registered_at: TIME, validation_warnings: [], ...rest }],
  })
  expect(await read(`/agents/${account}`, 'member')).toEqual({
    agents: [
      latest(hidden, { build_id: 'h1', ...secret }),
      latest(published, { build_id: 'b2', ...secret }),
      latest(yanked, {
        build_id: 'y1',
        version: '1.0.0',
        description: 'no longer to be used',
        published_at: TIME,
        yanked: true,
      }),
    ],
    count: 3,
  })
})

test('responds with the details of an agent', async () => {
  const { account, published, yanked } = world
  const shown = {
    build_id: 'b1',
    version: '1.0.0',
    spec: specOf(published, 'for everybody to see'),
    readme: '# for everybody to see',
    published_at: TIME,
  }
  const head = { account, name: published, registry: REGISTRY }
  for (const caller of ['anonymous', 'stranger', 'forged'] as const) {
    expect(await read(`/agents/${account}/${published}`, caller)).toEqual({
      ...head,
      versions: [shown],
    })
  }
  const forMembers = { registered_at: TIME, validation_warnings: [] }
  expect(await read(`/agents/${account}/${published}`, 'member')).toEqual({
    ...head,
    versions: [
      { build_id: 'b2', spec: expect.any(Object), readme: expect.any(String), ...forMembers },
      { ...shown, ...forMembers },
    ],
  })
  const { versions } = await read(`/agents/${account}/${yanked}`, 'anonymous')
  expect(versions).toMatchObject([{ build_id: 'y1', version: '1.0.0', yanked: true }])
})

test('responds to changes of an agent', async () => {
  const { account } = world
  const name = freshName('changed')
  const path = `/agents/${account}/${name}`
  const body = { ...buildBody(name, 'b1'), visibility: 'public', readme_assets: { 'a.png': 'x' } }
  const registered = { message: 'Agent registered successfully', account, name, build_id: 'b1' }
  const unknown = ['readme_assets: unknown field', 'visibility: unknown field']
  for (const [spec, warnings] of [
    [
      'agent: {image: a/b}\n',
      [
        { field: 'name', message: expect.any(String) },
        { field: 'spec', message: expect.any(String) },
      ],
    ],
    [body.spec_content, []],
    [body.spec_content, []],
  ] as const) {
    const answer = await ask('POST', `${path}/register`, 'admin', {
      body: { ...body, spec_content: spec },
    })
    expect([answer.status, answer.body]).toEqual([
      201,
      { ...registered, validation_warnings: warnings, warnings: unknown },
    ])
  }
  await ask('POST', `${path}/register`, 'admin', { body: buildBody(name, 'b2') })
  const again = await ask('POST', `${path}/register`, 'admin', { body: buildBody(name, 'b1') })
  expect([again.status, again.body.warnings]).toEqual([
    201,
    [
      'build b1 is already registered, and a deploy takes the newest build, b2, unless it names ' +
        'one: deploy with "build_id": "b1"',
    ],
  ])
  const version = { account, name, build_id: 'b1', version: '1.0.0-rc.1+build.5' }
  for (let time = 0; time < 2; time += 1) {
    const { status, body: answer } = await ask('POST', `${path}/publish`, 'admin', {
      body: version,
    })
    expect([status, answer]).toEqual([201, { message: 'agent published', ...version }])
  }
  for (const [action, message] of [
    ['yank', 'version yanked'],
    ['unyank', 'version unyanked'],
  ]) {
    const at = `${path}/versions/${encodeURIComponent(version.version)}/${action}`
    const { status, body: answer } = await ask('POST', at, 'admin')
    expect([status, answer]).toEqual([200, { message, ...version }])
  }
})

test('responds with what a deployment needs', async () => {
  const { account } = world
  const name = freshName('needy')
  const path = `/agents/${account}/${name}`
  const extra =
    'models: {main: {provider: openai}}\n' +
    'integrations: {crm: {credentials: [{suffix: KEY, description: A key, optional: true}]}}\n'
  const plain = buildBody(name, 'b1')
  await ask('POST', `${path}/register`, 'admin', {
    body: { ...plain, spec_content: plain.spec_content + extra },
  })
  const description = expect.any(String)
  const slack = { provider: 'slack', category: 'messaging', description, optional: false }
  expect(await read(`${path}/config?interfaces=slack,unknown`, 'member')).toEqual({
    agent: name,
    build_id: 'b1',
    build_choice: 'newest build',
    credentials: [
      {
        key: 'CRM_KEY',
        provider: 'crm',
        category: 'integration',
        description: 'A key',
        optional: true,
      },
      {
        key: 'OPENAI_API_KEY',
        provider: 'openai',
        category: 'model',
        description,
        optional: false,
      },
      { key: 'SLACK_APP_TOKEN', ...slack },
      { key: 'SLACK_BOT_TOKEN', ...slack },
    ],
  })
  const { credentials } = await read(`/agents/${account}/${world.published}/config`, 'stranger')
  expect(credentials).toEqual([])

  const template = await read(`${path}/deployment-template?format=json`, 'member')
  expect(template).toMatchObject({
    spec: 'deployment/v1',
    source: { account, name, build: 'b1', registry: REGISTRY },
    target: { runtime: 'kubernetes', namespace: expect.stringMatching(/^agent-/) },
    credentials: { OPENAI_API_KEY: { value: '' }, CRM_KEY: { value: '', optional: true } },
  })
  // The members' namespace is not shown to outsiders.
  const shown = `/agents/${account}/${world.published}/deployment-template?format=json`
  expect((await read(shown, 'stranger')).target).toEqual({ runtime: 'kubernetes' })
  for (const format of ['', '?format=yaml', '?format=xml']) {
    const answer = await ask('GET', `${path}/deployment-template${format}`, 'member')
    expect([answer.headers.get('content-type'), parse(answer.text)]).toEqual([
      'application/yaml',
      template,
    ])
  }
})
