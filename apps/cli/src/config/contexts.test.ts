import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { Contexts, registryOf, type ContextsFile } from './contexts.ts'
import { SettingsFile } from './settings-file.ts'

async function contexts() {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-contexts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = new SettingsFile<ContextsFile>(join(folder, 'new'), 'contexts.json')
  return { file, contexts: new Contexts(file) }
}

test('makes the first context current, and others when asked', async () => {
  const { contexts: all } = await contexts()
  await all.put({ name: 'a', url: 'https://a' }, { use: false })
  await all.put({ name: 'b', url: 'https://b' }, { use: false })
  expect((await all.find(undefined))?.name).toBe('a')
  expect(await all.use('b')).toBe('b')
  expect(await all.use('-')).toBe('a')
  expect(await all.use('-')).toBe('b')
})

test('forgets a removed context everywhere', async () => {
  const { contexts: all } = await contexts()
  await all.put({ name: 'a', url: 'https://a' }, { use: true })
  await all.put({ name: 'b', url: 'https://b' }, { use: true })
  await all.remove('b')
  expect(await all.find(undefined)).toBeUndefined()
  await expect(all.use('b')).rejects.toThrow('there is no context "b"')
  await expect(all.find('__proto__')).rejects.toThrow('there is no context')
})

test('loses nothing when two processes change the file', async () => {
  const { file } = await contexts()
  const names = Array.from({ length: 12 }, (_, index) => `c${index}`)
  await Promise.all(
    names.map((name) => new Contexts(file).put({ name, url: 'https://x' }, { use: false })),
  )
  const { contexts: all } = await new Contexts(file).list()
  expect(all.map(({ name }) => name).sort()).toEqual([...names].sort())
})

test('writes a file that only its user can read', async () => {
  const { file, contexts: all } = await contexts()
  await all.put({ name: 'a', url: 'https://a' }, { use: true })
  expect((await stat(file.path)).mode & 0o777).toBe(0o600)
})

test('remembers where images were pushed, for the context and for other folders', async () => {
  const { contexts: all } = await contexts()
  await all.put({ name: 'a', url: 'https://a', account: 'team' }, { use: true })
  const known = async (folder: string) => registryOf((await all.find('a')) ?? { url: '' }, folder)
  expect(await all.rememberRegistry('a', '/one', 'r.example/x')).toBe(true)
  expect(await all.rememberRegistry('a', '/one', 'r.example/x')).toBe(false)
  expect(await all.rememberRegistry('a', '/two', 'r.example/y')).toBe(true)
  expect([await known('/one'), await known('/two'), await known('/constructor')]).toEqual([
    'r.example/x',
    'r.example/y',
    'r.example/x',
  ])
  expect(await all.rememberRegistry('a', '/two', 'r.example/x')).toBe(true)
  expect(await known('/two')).toBe('r.example/x')
  expect(await all.find('a')).toMatchObject({ account: 'team' })
  expect(await all.rememberRegistry('gone', '/one', 'r.example/x')).toBe(false)
  for (let index = 0; index < 120; index += 1)
    await all.rememberRegistry('a', `/many/${index}`, 'r.example/z')
  expect(Object.keys((await all.find('a'))?.folders ?? {})).toHaveLength(100)
})
