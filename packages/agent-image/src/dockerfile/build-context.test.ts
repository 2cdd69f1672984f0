import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contextWithoutSecrets } from './build-context.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-context-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function write(files: Readonly<Record<string, string>>): Promise<string> {
  const context = join(folder, 'context')
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(context, path)), { recursive: true })
    await writeFile(join(context, path), text)
  }
  return context
}

const open = async (context: string) =>
  await contextWithoutSecrets(context, join(context, 'Dockerfile'), join(folder, 'cache'))

test('is the folder itself without secrets, and a copy without those that it has', async () => {
  const context = await write({
    Dockerfile: 'FROM scratch\nCOPY . /\n',
    'main.py': 'print(1)',
    'node_modules/left/index.js': '',
    '.npmrc': 'node-linker=hoisted\nalways-auth=true\n//registry.example/:_authToken=${TOKEN}\n',
    '.yarnrc.yml': 'nodeLinker: node-modules\n',
    '.env.example': 'KEY=',
  })
  await symlink('main.py', join(context, 'link.py'))
  {
    await using plain = await open(context)
    expect(plain).toMatchObject({ folder: context, secrets: [] })
  }
  await write({
    '.env': 'KEY=1',
    'deep/id_rsa': '',
    'deep/tls.pem': '-----BEGIN PRIVATE KEY-----',
    '.aws/config': 'x',
    'sub/.npmrc': '//registry.example/:_authToken=secret\n',
    'sub/pip.conf': 'index-url = https://user:password@index.example/simple\n',
  })
  const time = new Date('2020-01-02T03:04:05Z')
  await utimes(join(context, 'main.py'), time, time)
  let copy: string
  {
    await using staged = await open(context)
    copy = staged.folder
    expect(staged.secrets).toEqual([
      '.aws/config',
      '.env',
      'deep/id_rsa',
      'deep/tls.pem',
      'sub/.npmrc',
      'sub/pip.conf',
    ])
    expect((await readdir(copy, { recursive: true })).toSorted()).toEqual(
      [
        '.env.example',
        '.npmrc',
        '.yarnrc.yml',
        'Dockerfile',
        'deep',
        'link.py',
        'main.py',
        'node_modules',
        'node_modules/left',
        'node_modules/left/index.js',
        'sub',
      ].toSorted(),
    )
    expect(await readFile(join(copy, 'link.py'), 'utf8')).toBe('print(1)')
    expect((await stat(join(copy, 'main.py'))).mtime).toEqual(time)
  }
  expect(await readdir(dirname(copy))).toEqual([])
  expect(await readFile(join(context, '.env'), 'utf8')).toBe('KEY=1')
})

test.each([
  ['.npmrc', 'registry=https://user:secret@${HOST}/npm'],
  ['.npmrc', 'registry=https://user:${A}:secret@h.example/npm'],
  ['.npmrc', 'registry=https://me@corp.example:secret@h.example/npm'],
  ['pip.conf', 'index-url = https://user:$ecret@h.example'],
  ['pip.conf', 'index-url = https://u:a"b@h.example'],
  ['pip.conf', 'index-url = https://u:p@日本.example'],
  ['pip.conf', 'index-url = https://token:@h.example'],
])('leaves %s with %s out', async (path, text) => {
  const context = await write({ Dockerfile: '', [path]: `${text}\n` })
  await using staged = await open(context)
  expect(staged.secrets).toEqual([path])
})

test.each([
  ['pip.conf', 'index-url = https://me@h.example/simple'],
  ['.npmrc', 'registry=https://user:${PASSWORD}@h.example/npm'],
  ['.yarnrc.yml', 'npmRegistryServer: "https://u:${PASSWORD:-none}@h.example:8080/@a"'],
])('gives the engine %s with %s', async (path, text) => {
  const context = await write({ Dockerfile: '', [path]: `${text}\n` })
  await using staged = await open(context)
  expect(staged.secrets).toEqual([])
})

test('knows files with a login that a Dockerfile may need', async () => {
  const context = await write({
    'requirements.txt': '--index-url https://user:password@index.example/simple\n',
    'other/requirements.txt': '--index-url https://user:${PASSWORD}@index.example/simple\n',
    'node_modules/left/package.json': '{"repository":"https://user:password@a.example"}',
  })
  await using staged = await open(context)
  expect(staged).toMatchObject({ folder: context, logins: ['requirements.txt'] })
})

test('says nothing of secrets that .dockerignore leaves out', async () => {
  const files = { Dockerfile: '', '.env': 'KEY=1', '.dockerignore': '.env\n' }
  const context = await write(files)
  {
    await using ignored = await open(context)
    expect(ignored).toMatchObject({ folder: context, secrets: [] })
  }
  await write({ 'Dockerfile.dockerignore': 'docs\n' })
  await using replaced = await open(context)
  expect(replaced.secrets).toEqual(['.env'])
})
