import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { readAgentFile } from '../agent-file.ts'
import { outsideAccessOf } from '../dockerfile/outside-access.ts'
import { writeTar } from '../image/tar.ts'
import { packageTree, sourceTree } from './source-files.ts'

const KEY = '-----BEGIN PRIVATE KEY-----\nnot a real one\n-----END PRIVATE KEY-----\n'

let folder: string
let said: string[]
beforeEach(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'slipway-sources-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  folder = join(parent, 'agent')
  said = []
  await write({ '../outside/id': 'a secret', '../outside/sub/id': 'a secret', 'main.py': '' })
})

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}

const say = (line: string) => void said.push(line)
const sources = async () => (await sourceTree(folder, 'app', [], { progress: say })).entries
const listed = async (...files: readonly string[]) => {
  await write({ 'package.json': JSON.stringify({ files }) })
  return (await packageTree(folder, 'app', { progress: say })).entries
}
const paths = (entries: readonly { readonly path: string }[]) =>
  entries.map(({ path }) => path.slice('app/'.length)).toSorted()

test('leaves files of secrets out, and says so', async () => {
  await write({
    '.env': 'A=1',
    'service-account.json': '{}',
    'keys/id_rsa': '',
    'keys/server.pem': KEY,
    'keys/ca.pem': 'a certificate',
    'google.json': JSON.stringify({ private_key: KEY }),
    'config.json': '{}',
  })
  const whole = await sources()
  expect(paths(whole)).toEqual(['', 'config.json', 'keys', 'keys/ca.pem', 'main.py'])
  expect(said).toEqual([
    'left out, because they may hold secrets: .env, google.json, keys/id_rsa, ' +
      'keys/server.pem, service-account.json',
  ])
})

test('a folder may have the name of a file of secrets', async () => {
  await write({ 'credentials/store.py': '', 'prod.env/readme.md': '', 'lib/credentials': '' })
  expect(paths(await sources())).toEqual([
    '',
    'credentials',
    'credentials/store.py',
    'lib',
    'main.py',
    'prod.env',
    'prod.env/readme.md',
  ])
})

test('leaves files of secrets and the history out, although package.json lists them', async () => {
  await write({ '.npmrc': '', '.env': '', '.env.example': '', '.git/config': '' })
  await symlink('.env', join(folder, 'settings'))
  await symlink('.git', join(folder, 'history'))
  const found = await listed('.npmrc', '.env*', '.git', 'settings', 'history')
  expect(paths(found)).toEqual(['', '.env.example', 'package.json'])
  expect(said).toEqual(['left out, because they may hold secrets: .env, settings'])
})

test.each(['../outside', 'lib/../../outside', '{..,lib}/outside', '..'])(
  'refuses %s in the files of package.json',
  async (pattern) => {
    await write({ 'lib/a.js': '' })
    await expect(listed(pattern)).rejects.toThrow(/leaves the folder|outside of/)
  },
)

test('takes what begins with a slash in the files of package.json from the package', async () => {
  await write({ 'etc/passwd': 'ours' })
  expect(paths(await listed('/etc/passwd'))).toEqual(['', 'etc/passwd', 'package.json'])
})

test('refuses links that leave the folder, also through another one', async () => {
  await symlink('../outside', join(folder, 'shared'))
  await expect(sources()).rejects.toThrow('shared is a link to ../outside, which the image')
  await expect(listed('shared')).rejects.toThrow(/shared is .*outside/)
  await expect(listed('shared/sub/id')).rejects.toThrow(/shared\/sub\/id is .*outside/)
  await rm(join(folder, 'shared'))
  await symlink(join(folder, 'main.py'), join(folder, 'absolute'))
  await expect(sources()).rejects.toThrow('absolute is a link to /')
})

test('keeps links to places in the folder', async () => {
  await write({ 'lib/a.py': '' })
  await symlink('../main.py', join(folder, 'lib/main.py'))
  const link = (await sources()).find(({ path }) => path === 'app/lib/main.py')
  expect(link).toMatchObject({ type: 'symlink', target: '../main.py' })
})

test('takes no pipes, which never end', async () => {
  execFileSync('sh', ['-c', 'mkfifo pipe'], { cwd: folder })
  expect(paths(await sources())).toEqual(['', 'main.py'])
  expect(paths(await listed('pipe'))).toEqual(['', 'package.json'])
})

test('reads nothing outside of the folder if a folder becomes a link meanwhile', async () => {
  await write({ 'data/id': '12345678' })
  const entries = await sources()
  await rename(join(folder, 'data'), join(folder, '../data'))
  await symlink('../outside', join(folder, 'data'))
  await expect(buffer(writeTar(entries))).rejects.toThrow(/data\/id is .*outside/)
})

test('reads no text to publish through a link that leaves the folder', async () => {
  await symlink('../outside/id', join(folder, 'README.md'))
  await expect(readAgentFile(folder, 'README.md')).rejects.toThrow(/README.md is .*outside/)
  expect(await readAgentFile(folder, 'none.md')).toBeUndefined()
  await write({ 'NOTES.md': 'notes' })
  expect(await readAgentFile(folder, 'NOTES.md')).toBe('notes')
})

test('finds what a Dockerfile takes from outside of the folder', async () => {
  const outside = join(folder, '../outside')
  await cp(outside, join(folder, 'inside'), { recursive: true })
  await symlink('../outside', join(folder, 'linked'))
  const access = async (build: Parameters<typeof outsideAccessOf>[1]) =>
    (await outsideAccessOf(folder, build)).map(({ name }) => name)
  expect(await access({ context: 'inside', dockerfile: 'id' })).toEqual([])
  expect(await access({ context: '../outside' })).toEqual([outside, join(outside, 'Dockerfile')])
  expect(await access({ context: 'linked', dockerfile: 'id' })).toEqual([
    outside,
    join(outside, 'id'),
  ])
  expect(await access({ dockerfile: '../outside/id' })).toEqual([join(outside, 'id')])
  expect(await access({ secrets: [{ id: 'npm', env: 'NPM_TOKEN' }, { id: 'KEY' }] })).toEqual([
    'NPM_TOKEN',
    'KEY',
  ])
  // Docker would read a file in place of the variable.
  const secrets = [{ id: 'npm,src=/etc/passwd', env: 'A' }]
  await expect(access({ secrets })).rejects.toThrow('a secret of a build has the id "npm,src=')
})
