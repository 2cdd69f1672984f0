import { readRemoteError } from '@slipway/shared/rpc'
import { parseSpec } from '@slipway/agent-spec'
import { expect, test } from 'vitest'

import { catalogWithBuilds, type Build } from './support/build-calls.ts'
import { failureOf, specOf } from './support/catalog.ts'

const { catalog, owner, stranger, calls } = await catalogWithBuilds()

test('stores a build that only members see', async () => {
  await calls.register('private', { readme: '# Read me' })
  const seen = await calls.detail('private', owner)
  expect(seen).toMatchObject({ account: owner.account, registry: 'oci://registry.example/team' })
  expect(seen.versions).toMatchObject([{ buildId: 'b1', readme: '# Read me', yanked: false }])
  expect(JSON.parse(seen.versions?.[0]?.specJson ?? '')).toMatchObject({
    spec: 'astro/v1',
    name: 'private',
  })
  expect(seen.versions?.[0]?.registerTime).toBeDefined()
  expect(seen.versions?.[0]?.version).toBeUndefined()
  expect(await failureOf(calls.detail('private'))).toBe('agent_not_found')
  expect(await failureOf(calls.detail('private', stranger))).toBe('agent_not_found')
  expect(await failureOf(calls.detail('no-such', owner))).toBe('agent_not_found')
})

test('returns warnings, and shows them to members', async () => {
  const { validationWarnings } = await calls.register('warned', {
    specContent: 'agent: {image: a/b}',
  })
  expect(validationWarnings.map(({ field }) => field)).toEqual(['name', 'spec'])
  const { versions } = await calls.detail('warned', owner)
  expect(versions?.[0]?.validationWarnings).toEqual(validationWarnings)
})

test('the same build again changes nothing; an unpublished one can be replaced', async () => {
  await calls.register('again')
  await calls.register('again', { buildId: 'b2' })
  const before = await calls.detail('again', owner)
  await calls.register('again')
  expect(await calls.detail('again', owner)).toEqual(before)
  await calls.register('again', { specContent: specOf('again', 'meta: {description: replaced}\n') })
  const after = await calls.detail('again', owner)
  expect(after.builds).toEqual(['b2', 'b1'])
  expect(after.versions?.[1]?.specJson).toContain('replaced')
  expect(await calls.resolve('again')).toMatchObject({ buildId: 'b2' })
})

test('a build that is registered again says which build deploys by default', async () => {
  const newestOf = async (buildId: string, readme?: string) =>
    (await calls.register('reverted', { buildId, ...(readme && { readme }) })).newestBuildId
  expect([await newestOf('b1'), await newestOf('b1'), await newestOf('b2')]).toEqual(['', '', ''])
  expect(await newestOf('b1')).toBe('b2')
  expect(await newestOf('b1', 'changed')).toBe('b2')
  expect(await newestOf('b2')).toBe('')
  await calls.publish('reverted', 'b2', '1.0.0')
  await calls.yank('reverted', '1.0.0')
  expect([await newestOf('b1'), await newestOf('b2')]).toEqual(['', 'b1'])
})

const COMMIT = {
  id: 'a'.repeat(40),
  branch: 'main',
  message: 'Answer shorter',
  hasChanges: true,
  ciRunUrl: 'https://ci.example/runs/7',
}

test('keeps the commit of a build, and shows it to members only', async () => {
  await calls.register('committed', { commit: COMMIT })
  await calls.register('committed', { commit: { ...COMMIT, id: 'b'.repeat(40) } })
  await calls.register('committed')
  const commitFor = async (user?: typeof owner) =>
    (await calls.detail('committed', user)).versions?.[0]?.commit
  expect(await commitFor(owner)).toMatchObject(COMMIT)
  const specContent = specOf('committed', 'meta: {description: other}\n')
  await calls.register('committed', { specContent, commit: { id: 'c'.repeat(64) } })
  expect(await commitFor(owner)).toMatchObject({ id: 'c'.repeat(64), branch: '', ciRunUrl: '' })
  await calls.publish('committed', 'b1', '1.0.0')
  expect([await commitFor(stranger), await commitFor()]).toEqual([undefined, undefined])
  await calls.register('committed', { specContent, readme: 'new' })
  expect(await commitFor(owner)).toMatchObject({ id: 'c'.repeat(64) })
})

test.each([
  ['id', { id: 'HEAD' }],
  ['id', { id: 'A'.repeat(40) }],
  ['branch', { branch: 'b'.repeat(256) }],
  ['branch', { branch: 'a\u001b[2J' }],
  ['message', { message: 'two\nlines' }],
  ['message', { message: 'm'.repeat(501) }],
  ['ci_run_url', { ciRunUrl: 'javascript:alert(1)' }],
  ['ci_run_url', { ciRunUrl: 'https://user:password@ci.example/' }],
  ['ci_run_url', { ciRunUrl: `https://ci.example/${'x'.repeat(2048)}` }],
])('refuses a commit with another %s: %o', async (field, wrong) => {
  const refused = calls.register('refused', { commit: { ...COMMIT, ...wrong } })
  const error = await refused.catch((failure: unknown) => failure)
  expect(readRemoteError(error)?.violations).toMatchObject([{ field: `commit.${field}` }])
})

test('a spec whose template is too large is rejected, even when it is already stored', async () => {
  const entries = (entry: string) =>
    Array.from({ length: 40 }, (_, index) => `  ${'n'.repeat(95)}${index}: ${entry}\n`).join('')
  const extra = ['models', 'knowledge', 'tools'].map(
    (section) => `${section}:\n${entries('{container: {image: x}}')}`,
  )
  const ingestion = `ingestion:\n${entries('{container: {image: x}, trigger: {type: manual}}')}`
  const specContent = specOf('huge', `${extra.join('')}${ingestion}`)
  expect(await failureOf(calls.register('huge', { specContent }))).toBe('template_too_large')

  await calls.register('huge')
  const json = JSON.stringify(parseSpec(specContent).document)
  await catalog.db
    .updateTable('build')
    .set({ spec_json: json })
    .where('spec_yaml', '=', specOf('huge'))
    .execute()
  const { account } = owner
  const read = catalog.agents.getDeploymentTemplate(
    { account, name: 'huge', buildId: '' },
    owner.options,
  )
  expect(await failureOf(read)).toBe('template_too_large')
})

test('only the readme of a published build can change', async () => {
  await calls.register('frozen', { readme: 'one' })
  await calls.publish('frozen', 'b1', '1.0.0')
  expect(await failureOf(calls.register('frozen', { registry: 'oci://elsewhere.example' }))).toBe(
    'build_published',
  )
  expect(await failureOf(calls.register('frozen', { specContent: specOf('other') }))).toBe(
    'build_published',
  )
  await calls.register('frozen', { readme: 'two' })
  await calls.register('frozen')
  expect((await calls.detail('frozen')).versions).toMatchObject([
    { readme: 'two', version: '1.0.0' },
  ])
  await calls.register('frozen', { readme: '' })
  expect((await calls.detail('frozen')).versions).toMatchObject([{ readme: '' }])
})

test('concurrent registrations store each build once', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `b${index}`)
  await Promise.all([...ids, ...ids].map((buildId) => calls.register('busy', { buildId })))
  const { builds } = await calls.detail('busy', owner)
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
  ['a build id that is not a tag', { buildId: '-x' }, 'build_id'],
  ['no registry', { registry: '' }, 'registry'],
  ['a registry of another scheme', { registry: 'ftp://r.example' }, 'registry'],
  ['a registry with a query', { registry: 'r.example/a?b' }, 'registry'],
  ['no spec', { specContent: '' }, 'spec_content'],
  ['a spec that is a list', { specContent: '- a' }, 'spec_content'],
  ['a spec that is not YAML', { specContent: 'a: [' }, 'spec_content'],
  [
    'a spec with an escaped NUL',
    { specContent: specOf('refused', 'meta: {description: "a\\0b"}\n') },
    'spec_content',
  ],
  ['a NUL in the readme', { readme: 'a\0b' }, 'readme'],
  ['a spec that is too large', { specContent: `a: ${'x'.repeat(256 * 1024)}` }, 'spec_content'],
  ['a readme that is too large', { readme: 'x'.repeat(512 * 1024 + 1) }, 'readme'],
])('rejects %s', async (_what, { name = 'refused', ...build }, field) => {
  const error = await calls.register(name, build).catch((thrown: unknown) => thrown)
  expect(readRemoteError(error).violations.map((violation) => violation.field)).toEqual([field])
})

test.each([
  'r.example',
  'localhost:5000',
  'https://r.example:443/a/b_c/d-e',
  'http://10.0.0.1/x/',
  'oci://r.example/x',
  '[::1]:5000/x',
])('stores the registry %s unchanged', async (registry) => {
  const name = `registry-${registry.replace(/[^a-z0-9]+/g, '')}`
  await calls.register(name, { registry })
  expect((await calls.detail(name, owner)).registry).toBe(registry)
})
