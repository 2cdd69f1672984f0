import { BuildChoice } from '@slipway/proto/slipway/catalog/v1/build_choice'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { failureOf, specOf, startTestCatalog, type TestCatalog } from './support/catalog.ts'

let catalog: TestCatalog
let owner: Awaited<ReturnType<TestCatalog['signIn']>>
let stranger: typeof owner
const models = 'models: {main: {provider: openai}}\nknowledge: {docs: {provider: redis}}\n'
beforeAll(async () => {
  catalog = await startTestCatalog({
    MESSAGING_IMAGE: 'registry.example/messaging:1',
    MESSAGING_ADAPTERS: 'web,slack',
    PROVIDER_OVERRIDES: '{"redis": {"image": "mirror.example/redis:7"}}',
  })
  owner = await catalog.signIn('maker')
  stranger = await catalog.signIn('stranger')
  for (const [buildId, extra] of [
    ['b1', models],
    ['b2', 'models: {main: {provider: anthropic}}\n'],
  ] as const) {
    await catalog.agents.registerBuild(
      {
        account: 'maker',
        name: 'agent',
        buildId,
        registry: 'oci://registry.example/team/',
        specContent: specOf('agent', extra),
      },
      owner.options,
    )
  }
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
})

const config = async (user = owner, interfaces: string[] = [], name = 'agent', account = 'maker') =>
  await catalog.agents.getAgentConfig({ account, name, interfaces }, user.options)
const template = async (user = owner, buildId = '', name = 'agent', account = 'maker') => {
  const { templateJson } = await catalog.agents.getDeploymentTemplate(
    { account, name, buildId },
    user.options,
  )
  return JSON.parse(templateJson) as Record<string, unknown>
}

describe('before anything is published', () => {
  test('members get the latest build, others none', async () => {
    expect(await config()).toMatchObject({
      buildId: 'b2',
      credentials: [
        { key: 'ANTHROPIC_API_KEY', provider: 'anthropic', category: 'model', optional: false },
      ],
    })
    expect(await template()).toMatchObject({
      source: { account: 'maker', name: 'agent', build: 'b2' },
    })
    expect(await template(owner, 'b1')).toMatchObject({ source: { build: 'b1' } })
    expect(await failureOf(config(stranger))).toBe('agent_not_found')
    expect(await failureOf(template(stranger))).toBe('agent_not_found')
    expect(await failureOf(template(stranger, 'b1'))).toBe('agent_not_found')
  })
})

describe('with a published build', () => {
  beforeAll(async () => {
    await catalog.agents.publishBuild(
      { account: 'maker', name: 'agent', buildId: 'b1', version: '1.0.0' },
      owner.options,
    )
  })

  test('others get that one only', async () => {
    expect(await config(stranger)).toMatchObject({
      buildId: 'b1',
      credentials: [{ key: 'OPENAI_API_KEY' }],
    })
    expect(await config()).toMatchObject({ buildId: 'b2' })
    expect(await template(stranger)).toMatchObject({ source: { build: 'b1' } })
    expect(await template(stranger, 'b1')).toMatchObject({ source: { build: 'b1' } })
    expect(await failureOf(template(stranger, 'b2'))).toBe('build_not_found')
    expect(await failureOf(template(stranger, '\0'))).toBe('build_not_found')
  })

  test('the template is that of a deploy, with a namespace for members', async () => {
    const mine = await template(owner, 'b1')
    expect(mine).toMatchObject({
      spec: 'deployment/v1',
      source: { registry: 'oci://registry.example/team/' },
      target: {
        runtime: 'kubernetes',
        namespace: expect.stringMatching(/^agent-agent-[0-9a-f]{10}$/),
      },
      agent: { image: 'registry.example/agent:1', port: 8080 },
      knowledge: { docs: { image: 'mirror.example/redis:7' } },
      interfaces: { available_adapters: ['slack', 'web'] },
      credentials: { OPENAI_API_KEY: { value: '' } },
    })
    const theirs = await template(stranger, 'b1')
    expect(theirs).toEqual({ ...mine, target: { runtime: 'kubernetes' } })
  })

  test('interfaces add credentials; unknown ones are ignored', async () => {
    const { credentials } = await config(owner, ['slack', 'nobody'])
    expect(credentials.map(({ key }) => key)).toEqual([
      'ANTHROPIC_API_KEY',
      'SLACK_APP_TOKEN',
      'SLACK_BOT_TOKEN',
    ])
    expect((await config(owner, ['web'])).credentials).toHaveLength(1)
  })

  test('others get none when all versions are yanked', async () => {
    await catalog.agents.yankVersion(
      { account: 'maker', name: 'agent', version: '1.0.0' },
      owner.options,
    )
    expect(await failureOf(config(stranger))).toBe('no_builds')
    expect(await template(stranger, 'b1')).toMatchObject({ source: { build: 'b1' } })
    await catalog.agents.unyankVersion(
      { account: 'maker', name: 'agent', version: '1.0.0' },
      owner.options,
    )
    expect(await config(stranger)).toMatchObject({ buildId: 'b1' })
  })
})

test('the build can be named by its id or version', async () => {
  const named = async (asked: { buildId?: string; version?: string }) =>
    await catalog.agents.getAgentConfig(
      { account: 'maker', name: 'agent', ...asked },
      stranger.options,
    )
  const b1 = { buildId: 'b1', version: '1.0.0', choice: BuildChoice.ASKED_FOR }
  expect(await named({ version: '1.0.0' })).toMatchObject(b1)
  expect(await named({ buildId: 'b1' })).toMatchObject(b1)
  expect(await named({})).toMatchObject({ ...b1, choice: BuildChoice.NEWEST_PUBLISHED })
  expect(await failureOf(named({ buildId: 'b2' }))).toBe('build_not_found')
  expect(await failureOf(named({ version: '2.0.0' }))).toBe('version_not_found')
  const { templateJson } = await catalog.agents.getDeploymentTemplate(
    { account: 'maker', name: 'agent', version: '1.0.0' },
    owner.options,
  )
  expect(JSON.parse(templateJson)).toMatchObject({ source: { build: 'b1' } })
})

test('the first missing resource is reported', async () => {
  expect(await failureOf(config(owner, [], 'agent', 'no-such'))).toBe('account_not_found')
  expect(await failureOf(config(owner, [], 'no-such'))).toBe('agent_not_found')
  expect(await failureOf(config(owner, [], 'NO\0'))).toBe('agent_not_found')
  expect(await failureOf(template(owner, 'no-such'))).toBe('build_not_found')
  expect(await failureOf(catalog.agents.getAgentConfig({ account: 'maker', name: 'agent' }))).toBe(
    'token_required',
  )
})
