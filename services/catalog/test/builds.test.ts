import { randomBytes } from 'node:crypto'

import { readRemoteError } from '@slipway/shared/rpc'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { failureOf, outcomeOf, specOf, startTestCatalog, type TestCatalog } from './catalog.ts'

let catalog: TestCatalog
let owner: Awaited<ReturnType<TestCatalog['signIn']>>
let stranger: typeof owner
beforeAll(async () => {
  catalog = await startTestCatalog()
  owner = await catalog.signIn('owner')
  stranger = await catalog.signIn('stranger')
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
})

interface Build {
  readonly buildId?: string
  readonly registry?: string
  readonly specContent?: string
  readonly readme?: string
}

function register(name: string, build: Build = {}, who = owner) {
  const defaults = { buildId: 'b1', registry: 'oci://registry.example/team', specContent: specOf(name) }
  return catalog.agents.registerBuild({ account: owner.account, name, ...defaults, ...build }, who.options)
}

function publish(name: string, buildId: string, version: string, who = owner) {
  return catalog.agents.publishBuild({ account: owner.account, name, buildId, version }, who.options)
}

async function detail(name: string, who?: typeof owner) {
  const { agent, publicView } = await catalog.agents.getAgent({ account: owner.account, name }, who?.options)
  return { ...agent, publicView, builds: agent?.versions.map(({ buildId }) => buildId) }
}

const resolve = async (name: string, sourceAccount = '', accountId = owner.accountId) =>
  await catalog.agents.resolveBuild({ accountId, sourceAccount, name }, await catalog.asService('deployer'))

describe('RegisterBuild', () => {
  test('stores a build that only members see', async () => {
    await register('private', { readme: '# Read me' })
    const seen = await detail('private', owner)
    expect(seen).toMatchObject({ account: owner.account, registry: 'oci://registry.example/team', publicView: false })
    expect(seen.versions).toMatchObject([{ buildId: 'b1', readme: '# Read me', yanked: false }])
    expect(JSON.parse(seen.versions?.[0]?.specJson ?? '')).toMatchObject({ spec: 'astro/v1', name: 'private' })
    expect(seen.versions?.[0]?.registerTime).toBeDefined()
    expect(seen.versions?.[0]?.version).toBeUndefined()
    expect(await failureOf(detail('private'))).toBe('agent_not_found')
    expect(await failureOf(detail('private', stranger))).toBe('agent_not_found')
    expect(await failureOf(detail('no-such', owner))).toBe('agent_not_found')
  })

  test('tells warnings, and keeps them for members', async () => {
    const { validationWarnings } = await register('warned', { specContent: 'agent: {image: a/b}' })
    expect(validationWarnings.map(({ field }) => field)).toEqual(['name', 'spec'])
    const { versions } = await detail('warned', owner)
    expect(versions?.[0]?.validationWarnings).toEqual(validationWarnings)
  })

  test('the same again changes nothing; an unpublished build may be replaced and keeps its place', async () => {
    await register('again')
    await register('again', { buildId: 'b2' })
    const before = await detail('again', owner)
    await register('again')
    expect(await detail('again', owner)).toEqual(before)
    await register('again', { specContent: specOf('again', 'meta: {description: replaced}\n') })
    const after = await detail('again', owner)
    expect(after.builds).toEqual(['b2', 'b1'])
    expect(after.versions?.[1]?.specJson).toContain('replaced')
    expect(await resolve('again')).toMatchObject({ buildId: 'b2' })
  })

  test('of a published build only the readme may change', async () => {
    await register('frozen', { readme: 'one' })
    await publish('frozen', 'b1', '1.0.0')
    expect(await failureOf(register('frozen', { registry: 'oci://elsewhere.example' }))).toBe('build_published')
    expect(await failureOf(register('frozen', { specContent: specOf('other') }))).toBe('build_published')
    await register('frozen', { readme: 'two' })
    await register('frozen')
    expect((await detail('frozen')).versions).toMatchObject([{ readme: 'two', version: '1.0.0' }])
    await register('frozen', { readme: '' })
    expect((await detail('frozen')).versions).toMatchObject([{ readme: '' }])
  })

  test('many builds at once each get their place, and one build at once is one', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `b${index}`)
    await Promise.all([...ids, ...ids].map((buildId) => register('busy', { buildId })))
    const { builds } = await detail('busy', owner)
    expect(builds?.toSorted()).toEqual(ids.toSorted())
    const { accounts } = await catalog.accounts.getProfile({}, owner.options)
    const counts = accounts.flatMap(({ agents }) => agents).find(({ name }) => name === 'busy')
    expect(counts?.buildCount).toBe(20)
  })

  test.each<[string, Build & { name?: string }, string]>([
    ['a name in capitals', { name: 'Upper' }, 'name'],
    ['a name that ends in a dot', { name: 'dot.' }, 'name'],
    ['a long name', { name: 'x'.repeat(64) }, 'name'],
    ['no build id', { buildId: '' }, 'build_id'],
    ['a build id that is no tag', { buildId: '-x' }, 'build_id'],
    ['no registry', { registry: '' }, 'registry'],
    ['a registry of another scheme', { registry: 'ftp://r.example' }, 'registry'],
    ['a registry with a query', { registry: 'r.example/a?b' }, 'registry'],
    ['no spec', { specContent: '' }, 'spec_content'],
    ['a spec that is a list', { specContent: '- a' }, 'spec_content'],
    ['a spec that is no YAML', { specContent: 'a: [' }, 'spec_content'],
    [
      'a spec with an escaped NUL',
      { specContent: specOf('refused', 'meta: {description: "a\\0b"}\n') },
      'spec_content',
    ],
    ['a NUL in the readme', { readme: 'a\0b' }, 'readme'],
    ['a spec that is too large', { specContent: `a: ${'x'.repeat(256 * 1024)}` }, 'spec_content'],
    ['a readme that is too large', { readme: 'x'.repeat(512 * 1024 + 1) }, 'readme'],
  ])('refuses %s', async (_what, { name = 'refused', ...build }, field) => {
    const error = await register(name, build).catch((thrown: unknown) => thrown)
    expect(readRemoteError(error).violations.map((violation) => violation.field)).toEqual([field])
  })

  test.each([
    'r.example',
    'localhost:5000',
    'https://r.example:443/a/b_c/d-e',
    'http://10.0.0.1/x/',
    'oci://r.example/x',
    '[::1]:5000/x',
  ])('takes the registry %s as it is', async (registry) => {
    const name = `registry-${registry.replace(/[^a-z0-9]+/g, '')}`
    await register(name, { registry })
    expect((await detail(name, owner)).registry).toBe(registry)
  })
})

describe('PublishBuild', () => {
  test('makes a build visible for everybody', async () => {
    await register('public', { buildId: 'b1' })
    await register('public', { buildId: 'b2' })
    await publish('public', 'b1', '1.0.0')
    expect(await detail('public')).toMatchObject({ publicView: true, builds: ['b1'] })
    expect(await detail('public', stranger)).toMatchObject({ publicView: true, builds: ['b1'] })
    const [published] = (await detail('public')).versions ?? []
    expect(published).toMatchObject({ version: '1.0.0', validationWarnings: [] })
    expect(published?.publishTime).toBeDefined()
    expect(published?.registerTime).toBeUndefined()
    expect(await detail('public', owner)).toMatchObject({ publicView: false, builds: ['b2', 'b1'] })
  })

  test('shows outsiders the highest version first, also when it was published earlier', async () => {
    for (const [index, version] of ['1.10.0', '1.9.0', '2.0.0-rc.2', '2.0.0-rc.10'].entries()) {
      await register('sorted', { buildId: `b${index}` })
      await publish('sorted', `b${index}`, version)
    }
    const { versions } = await detail('sorted')
    expect(versions?.map(({ version }) => version)).toEqual(['2.0.0-rc.10', '2.0.0-rc.2', '1.10.0', '1.9.0'])
    expect(await resolve('sorted', owner.account, stranger.accountId)).toMatchObject({ version: '1.10.0' })
  })

  test('tags that no index could hold are left out, with a warning', async () => {
    const long = randomBytes(6000).toString('hex')
    const { validationWarnings } = await register('tagged', {
      specContent: specOf('tagged', `meta: {tags: [kept, ${long}]}\n`),
    })
    expect(validationWarnings).toMatchObject([{ field: 'meta.tags[1]' }])
    await publish('tagged', 'b1', '1.0.0')
    const { agents } = await catalog.agents.listAgents({ query: 'tagged' })
    expect(agents).toMatchObject([{ versions: [{ tags: ['kept'] }] }])
  })

  test('the same again is a success; another version for the build is not', async () => {
    await register('twice')
    await publish('twice', 'b1', '1.0.0')
    await publish('twice', 'b1', '1.0.0')
    expect(await failureOf(publish('twice', 'b1', '1.0.1'))).toBe('build_published')
    expect(await failureOf(publish('twice', 'b1', '1.0.0+linux'))).toBe('build_published')
  })

  test('a version is taken by one build, whatever its build metadata', async () => {
    await register('taken', { buildId: 'b1' })
    await register('taken', { buildId: 'b2' })
    await publish('taken', 'b1', '1.0.0+one')
    expect(await failureOf(publish('taken', 'b2', '1.0.0'))).toBe('version_taken')
    expect(await failureOf(publish('taken', 'b2', '1.0.0+two'))).toBe('version_taken')
    await publish('taken', 'b2', '0.9.0')
  })

  test('of fifty builds that want one version at once, one gets it', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `b${index}`)
    for (const buildId of ids) await register('race', { buildId })
    const outcomes = await Promise.all(ids.map((buildId) => outcomeOf(publish('race', buildId, '1.0.0'))))
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 49 }, () => 'version_taken'), 'won'])
    expect((await detail('race')).builds).toEqual([ids[outcomes.indexOf('won')]])
  })

  test('tells what is missing or wrong, in the order of the checks', async () => {
    await register('order')
    expect(await failureOf(publish('order', 'b1', 'v1.0.0'))).toBe('invalid_argument')
    expect(await failureOf(publish('order', 'no-such', '1.0.0'))).toBe('build_not_found')
    expect(await failureOf(publish('no-such', 'b1', '1.0.0'))).toBe('agent_not_found')
    expect(await failureOf(publish('order', 'b1', '1.0.0', stranger))).toBe('permission_denied')
    expect(await failureOf(publish('no-such', 'b1', '1.0.0', stranger))).toBe('permission_denied')
    const nowhere = { account: 'no-such-account', name: 'order', buildId: 'b1', version: '1.0.0' }
    expect(await failureOf(catalog.agents.publishBuild(nowhere, stranger.options))).toBe('account_not_found')
    expect(await failureOf(catalog.agents.publishBuild({ ...nowhere, version: '1' }, stranger.options))).toBe(
      'invalid_argument',
    )
  })
})

describe('yank', () => {
  const yank = (name: string, version: string, who = owner) =>
    catalog.agents.yankVersion({ account: owner.account, name, version }, who.options)
  const unyank = (name: string, version: string) =>
    catalog.agents.unyankVersion({ account: owner.account, name, version }, owner.options)
  const listed = async (name: string) => {
    const { agents } = await catalog.agents.listAgents({ account: owner.account, query: name })
    return agents[0]?.versions[0]?.version
  }

  test('a yanked version is shown, but never the latest', async () => {
    for (const [buildId, version] of [
      ['b1', '1.0.0'],
      ['b2', '2.0.0'],
    ] as const) {
      await register('yanked', { buildId })
      await publish('yanked', buildId, version)
    }
    expect(await listed('yanked')).toBe('2.0.0')
    expect(await yank('yanked', '2.0.0')).toMatchObject({ buildId: 'b2' })
    expect(await yank('yanked', '2.0.0')).toMatchObject({ buildId: 'b2' })
    expect(await listed('yanked')).toBe('1.0.0')
    expect((await detail('yanked')).versions).toMatchObject([
      { version: '2.0.0', yanked: true },
      { version: '1.0.0', yanked: false },
    ])
    expect(await resolve('yanked', owner.account, stranger.accountId)).toMatchObject({ version: '1.0.0' })
    await yank('yanked', '1.0.0')
    expect(await listed('yanked')).toBeUndefined()
    expect((await detail('yanked')).builds).toEqual(['b2', 'b1'])
    expect(await failureOf(resolve('yanked', owner.account, stranger.accountId))).toBe('no_builds')
    await unyank('yanked', '2.0.0')
    expect(await listed('yanked')).toBe('2.0.0')
  })

  test('needs a published version and the role', async () => {
    await register('unyankable')
    await publish('unyankable', 'b1', '1.0.0+a')
    expect(await failureOf(yank('unyankable', '1.0.0'))).toBe('version_not_found')
    expect(await failureOf(yank('unyankable', '3.0.0'))).toBe('version_not_found')
    expect(await failureOf(yank('unyankable', 'one'))).toBe('invalid_argument')
    expect(await failureOf(yank('no-such', '1.0.0'))).toBe('agent_not_found')
    expect(await failureOf(yank('unyankable', '1.0.0+a', stranger))).toBe('permission_denied')
  })
})

describe('ResolveBuild', () => {
  test('takes the latest build for the own account, the latest published one for others', async () => {
    await register('resolved', { buildId: 'b1' })
    await register('resolved', { buildId: 'b2' })
    expect(await failureOf(resolve('resolved', owner.account, stranger.accountId))).toBe('no_builds')
    await publish('resolved', 'b1', '1.0.0')
    expect(await resolve('resolved')).toMatchObject({
      account: owner.account,
      sourceAccount: owner.account,
      sourceAccountId: owner.accountId,
      buildId: 'b2',
      registry: 'oci://registry.example/team',
      specContent: specOf('resolved'),
    })
    expect((await resolve('resolved')).version).toBeUndefined()
    expect(await resolve('resolved', owner.account)).toMatchObject({ buildId: 'b2' })
    expect(await resolve('resolved', owner.account, stranger.accountId)).toMatchObject({
      account: stranger.account,
      sourceAccount: owner.account,
      buildId: 'b1',
      version: '1.0.0',
    })
  })

  test('whatever is missing, a deployer learns that there is no build', async () => {
    expect(await failureOf(resolve('no-such'))).toBe('no_builds')
    expect(await failureOf(resolve('NO\0'))).toBe('no_builds')
    expect(await failureOf(resolve('resolved', 'no-such-account'))).toBe('no_builds')
    expect(await failureOf(resolve('resolved', '', 'no-id'))).toBe('account_not_found')
    const asUser = catalog.agents.resolveBuild({ accountId: owner.accountId, name: 'resolved' }, owner.options)
    expect(await failureOf(asUser)).toBe('wrong_caller')
  })
})

test('a bad token counts as none where anyone may look, and as a bad token elsewhere', async () => {
  await register('seen')
  await publish('seen', 'b1', '1.0.0')
  const expired = await catalog.issuer.userToken('owner', { claims: { exp: 1 } })
  const options = { headers: { authorization: `Bearer ${expired}` } }
  const { publicView } = await catalog.agents.getAgent({ account: owner.account, name: 'seen' }, options)
  expect(publicView).toBe(true)
  expect((await catalog.agents.listAgents({ query: 'seen' }, options)).agents).toHaveLength(1)
  expect(await failureOf(catalog.accounts.getProfile({}, options))).toBe('token_expired')
})
