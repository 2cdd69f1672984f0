import { beforeAll, expect, test } from 'vitest'

import { ask, buildBody, makeWorld, type World } from './support/catalog-fixture.ts'

let world: World
let target: { account: string; name: string; user_credentials: Record<string, string> }

/** As other clients write inputs: a list. */
const TOOL = [
  'tools:',
  '  search:',
  '    container: {image: "registry.example/search:1"}',
  '    inputs: [{name: SEARCH_TOKEN, datatype: string, secret: true}]',
  '',
].join('\n')
const NO_COMPONENT =
  "no component declares this credential, so only the agent's own container gets it"

beforeAll(async () => {
  world = await makeWorld()
  target = {
    account: world.account,
    name: world.hidden,
    user_credentials: { SEARCH_TOKEN: 'a token' },
  }
})

const registering = () => {
  const body = buildBody(world.hidden, 'listed')
  return { ...body, spec_content: `${body.spec_content}${TOOL}` }
}
const register = async (body: object, query = '') =>
  await ask('POST', `/agents/${world.account}/${world.hidden}/register${query}`, 'owner', {
    body,
  })

test('registers a build with unknown fields, and names them', async () => {
  const body = { ...registering(), reedme: 'x', visibility: 'public' }
  const strict = await register(body, '?strict=true')
  const warnings = ['reedme: unknown field; did you mean readme?', 'visibility: unknown field']
  expect([strict.status, strict.body.code, strict.body.validation_errors]).toEqual([
    400,
    'invalid_argument',
    warnings,
  ])
  const answer = await register(body)
  expect([answer.status, answer.body.warnings]).toEqual([201, warnings])
  expect((await register(registering(), '?strict=true')).body).not.toHaveProperty('warnings')
})

test('lists the credentials of inputs that are a list, and requires them', async () => {
  expect((await register(registering())).body.validation_warnings).toEqual([])
  const { account, name } = target
  const config = await ask('GET', `/agents/${account}/${name}/config`, 'owner')
  expect(config.body.credentials).toMatchObject([{ key: 'SEARCH_TOKEN', category: 'tool' }])
  const without = await ask('POST', '/deploy/validate', 'member', { body: { account, name } })
  expect(without.body.validation_errors).toEqual([
    'user_credentials.SEARCH_TOKEN: a required credential is missing',
  ])
})

test('validates a deploy with unknown fields and credentials, and names them', async () => {
  await register(registering())
  const body = {
    ...target,
    schedule: {},
    user_credentials: { ...target.user_credentials, SEARCH_TOKENS: 'x', LOG_FORMAT: 'json' },
  }
  const { status, body: answer } = await ask('POST', '/deploy/validate', 'member', { body })
  expect([status, answer.warnings]).toEqual([
    200,
    [
      'schedule: unknown field; did you mean schedules?',
      `user_credentials.LOG_FORMAT: ${NO_COMPONENT}`,
      `user_credentials.SEARCH_TOKENS: ${NO_COMPONENT}; did you mean SEARCH_TOKEN?`,
    ],
  ])
  const valid = await ask('POST', '/deploy/validate', 'member', { body: target })
  expect(valid.body).not.toHaveProperty('warnings')
})

test.each([
  ['/deploy', {}],
  ['/deploy/validate', { valid: false }],
])('%s rejects them if it is strict', async (path, extension) => {
  await register(registering())
  const send = async (more: object) =>
    await ask('POST', `${path}?strict=true`, 'member', { body: { ...target, ...more } })
  const field = await send({ schedule: {} })
  expect([field.status, field.body]).toMatchObject([
    400,
    { validation_errors: ['schedule: unknown field; did you mean schedules?'], ...extension },
  ])
  const credential = await send({
    user_credentials: { ...target.user_credentials, SEARCH_TOKENS: 'x' },
  })
  expect([credential.status, credential.body]).toMatchObject([
    400,
    {
      validation_errors: [
        `user_credentials.SEARCH_TOKENS: ${NO_COMPONENT}; did you mean SEARCH_TOKEN?`,
      ],
      ...extension,
    },
  ])
})

test('reports at most 20 unknown fields, and counts the others', async () => {
  const more = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1]))
  const { body } = await register({ ...registering(), ...more })
  expect(body.warnings).toHaveLength(21)
  expect(body.warnings).toContain('request body: 4980 more unknown fields')
})
