import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { packageTree, sourceTree } from './source-files.ts'
import { requireStartFile } from './start-file.ts'
import type { SourceTree } from './source-tree.ts'

let folder: string
let said: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-source-files-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  said = []
})

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'init.defaultBranch=main', ...args], { cwd: folder })
const options = { progress: (line: string) => void said.push(line) }
const sources = async (...started: readonly string[]) =>
  await sourceTree(folder, 'app', started, options)
const listed = async (manifest: object) => {
  await write({ 'package.json': JSON.stringify(manifest) })
  return filesOf(await packageTree(folder, 'app', options))
}
function filesOf({ entries }: SourceTree): string[] {
  return entries
    .flatMap((entry) => (entry.type === 'directory' ? [] : [entry.path.slice(4)]))
    .sort()
}

test('takes what git would add, also if it is not added yet', async () => {
  git('init', '--quiet')
  await write({ '.gitignore': 'data/\n*.log\n', 'lib/.gitignore': 'tmp\n', 'added.py': '' })
  git('add', 'added.py')
  await write({ 'main.py': '', 'data/a': '', 'x.log': '', 'lib/a.py': '', 'lib/tmp': '' })
  await write({ 'data/forced': '' })
  git('add', '--force', 'data/forced')
  const found = filesOf(await sources())
  expect(found).toEqual([
    '.gitignore',
    'added.py',
    'data/forced',
    'lib/.gitignore',
    'lib/a.py',
    'main.py',
  ])
  expect(said).toEqual([
    'left out, because git ignores them (git add --force adds them): data/a, lib/tmp, x.log',
  ])
})

test('takes the folder that a build has made, although git ignores it', async () => {
  git('init', '--quiet')
  await write({ '.gitignore': 'dist\nout\n', 'dist/main.js': '', 'dist/lib/a.js': '', 'out/a': '' })
  expect(filesOf(await sources('dist/main.js'))).toEqual([
    '.gitignore',
    'dist/lib/a.js',
    'dist/main.js',
  ])
})

test('runs no program that the settings of a repository name', async () => {
  git('init', '--quiet')
  git('config', 'core.fsmonitor', `touch ${join(folder, 'ran')}; false`)
  await write({ 'main.py': '' })
  expect(filesOf(await sources())).toEqual(['main.py'])
})

test('takes the whole folder without git, with .well-known and a package named env', async () => {
  await write({ '.well-known/agent.json': '', 'env/__init__.py': '', 'config/env.json': '' })
  await write({ 'own/pyvenv.cfg': '', 'own/lib/a.py': '', '.venv/a': '', 'a/__pycache__/b': '' })
  await write({ 'node_modules/a/index.js': '' })
  expect(filesOf(await sources())).toEqual([
    '.well-known/agent.json',
    'config/env.json',
    'env/__init__.py',
  ])
})

test('leaves out what .dockerignore names, as docker does', async () => {
  await write({
    '.dockerignore': '# a comment\n*.md\n!README.md\ndata\n!data/keep.txt\n**/*.tmp\n/top\n',
    'README.md': '',
    'NOTES.md': '',
    'sub/NOTES.md': '',
    'data/a.txt': '',
    'data/keep.txt': '',
    'sub/deep/x.tmp': '',
    'top/a': '',
    'sub/top/a': '',
  })
  expect(filesOf(await sources())).toEqual([
    '.dockerignore',
    'README.md',
    'data/keep.txt',
    'sub/NOTES.md',
    'sub/top/a',
  ])
})

test('takes what a build has made, although .dockerignore names it', async () => {
  await write({ '.dockerignore': '*\n!src\n', 'src/a.ts': '', 'notes.md': '', 'dist/a.js': '' })
  const isMade = (path: string): boolean => path.startsWith('dist')
  const found = filesOf(await sourceTree(folder, 'app', [], { ...options, isMade }))
  expect(found).toEqual(['dist/a.js', 'src/a.ts'])
  await write({ 'package.json': '{"files": ["dist", "notes.md"]}' })
  const packed = filesOf(await packageTree(folder, 'app', { ...options, isMade }))
  expect(packed).toEqual(['dist/a.js'])
})

test('takes of a package what npm pack takes', async () => {
  await write({ 'src/index.js': '', 'src/secret.json': '', 'lib/a.js': '', 'main.js': '' })
  await write({ 'src/tmp/a': '', 'README.md': '', LICENSE: '', 'other.js': '' })
  expect(await listed({ main: './main.js', files: ['src', '!src/secret.json'] })).toEqual([
    'LICENSE',
    'README.md',
    'main.js',
    'package.json',
    'src/index.js',
    'src/tmp/a',
  ])
  expect(await listed({ bin: 'main.js', files: ['/src/*.js'] })).toContain('src/index.js')
  await write({ '.dockerignore': 'src/tmp\n' })
  expect(await listed({ files: ['src'] })).not.toContain('src/tmp/a')
})

test('copies what a package lists as a link', async () => {
  await write({ 'docs/a.md': '' })
  await symlink('docs', join(folder, 'linked'))
  expect(await listed({ files: ['linked'] })).toEqual(['linked/a.md', 'package.json'])
})

test('names the rule that leaves a start file out', async () => {
  await write({ '.dockerignore': 'dist\n', 'dist/main.js': '', '.env': '', 'lib/index.js': '' })
  const tree = await sources('dist/main.js')
  const start = (file: string) => requireStartFile(tree, 'app', file, 'package.json')
  expect(() => start('dist/main.js')).toThrow(
    'package.json starts dist/main.js, which is not in the image, because .dockerignore names it',
  )
  expect(() => start('.env')).toThrow('because it may hold a secret')
  expect(() => start('none.js')).toThrow('none.js, which is not among the files of the image')
  expect(() => start('lib')).not.toThrow()
})

test('says which files of a package are not packed', async () => {
  await write({ 'src/a.ts': '', 'src/b.test.ts': '', 'docs/guide/a.md': '', '.env': '' })
  await write({ '.dockerignore': 'src/c.ts', 'src/c.ts': '', 'node_modules/a/b.js': '' })
  await write({ 'package.json': '{"files": ["src", "!**/*.test.ts"]}' })
  const { leftOut } = await packageTree(folder, 'app', options)
  expect(Object.fromEntries(leftOut)).toEqual({
    '.dockerignore': 'npm pack leaves it out',
    '.env': 'it may hold a secret',
    docs: 'npm pack leaves it out',
    node_modules: 'npm pack leaves it out',
    'src/b.test.ts': 'npm pack leaves it out',
    'src/c.ts': '.dockerignore names it',
  })
  const tree = { entries: [], leftOut }
  expect(() => requireStartFile(tree, 'app', 'docs/a.js', 'package.json')).toThrow(
    'because npm pack leaves it out',
  )
})
