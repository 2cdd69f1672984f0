import { expect, test } from 'vitest'
import { fileEntry } from '../image/entries.ts'
import { treeWithoutLogins } from './manager-logins.ts'

const LOGIN = 'https://user:pw-4711@example.com/simple'

async function clean(path: string, text: string): Promise<{ text: string; said: string[] }> {
  const said: string[] = []
  const tree = { entries: [fileEntry(`app/${path}`, text)], leftOut: new Map() }
  const { entries } = await treeWithoutLogins(tree, 'app', (line) => void said.push(line), [
    'deps/base.txt',
  ])
  const [entry] = entries
  const content = entry?.type === 'file' ? entry.content : undefined
  return { text: Buffer.isBuffer(content) ? content.toString() : '', said }
}

test.each([
  'requirements.txt',
  'requirements/prod.txt',
  'api/requirements-dev.in',
  'deps/base.txt',
  'constraints.txt',
  'pyproject.toml',
  'uv.toml',
  'uv.lock',
  'poetry.lock',
  'pdm.lock',
  'pylock.prod.toml',
  'setup.cfg',
  'setup.py',
  'Pipfile',
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bunfig.toml',
  'libs/one/package.json',
  '.gitmodules',
])('leaves the login in %s out of the image, and says so', async (path) => {
  const found = await clean(path, `# ü\n"${LOGIN}"\n`)
  expect(found.text).toBe('# ü\n"https://example.com/simple"\n')
  expect(found.said).toEqual([
    expect.stringMatching(`^warning: .*without the logins in them: ${path}; write the login to`),
  ])
})

test.each(['main.py', 'README.md', 'data/notes.txt'])('leaves %s as it is', async (path) =>
  expect(await clean(path, LOGIN)).toEqual({ text: LOGIN, said: [] }),
)

test.each([
  ['bunfig.toml', 'registry = { token = "npm_4711" }', 'registry = { token = "" }'],
  ['poetry.toml', '[http-basic.a]\npassword = "4711"', '[http-basic.a]\npassword = ""'],
  ['bunfig.toml', 'registry = { token = "$NPM_TOKEN" }', 'registry = { token = "$NPM_TOKEN" }'],
])('leaves the secrets in %s out: %s', async (path, text, plain) =>
  expect((await clean(path, text)).text).toBe(plain),
)
