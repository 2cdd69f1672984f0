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

test('names files outside of the folder of the agent from there', async () => {
  const said: string[] = []
  const entries = ['work/pyproject.toml', 'work/agents/one/uv.toml'].map((path) =>
    fileEntry(path, LOGIN),
  )
  const progress = (line: string): void => void said.push(line)
  await treeWithoutLogins({ entries, leftOut: new Map() }, 'work/agents/one', progress)
  expect(said).toEqual([expect.stringContaining('in them: ../../pyproject.toml, uv.toml; ')])
})

test.each(['\n', ' token', 'token ', 'token = "', "token = '''", 'pypi-token.a-', 'token = "\\'])(
  'reads a file with %j a million times in the time that its size needs',
  async (part) => {
    const text = part.repeat(1_000_000)
    expect((await clean('bunfig.toml', text)).text.length).toBeGreaterThan(0)
  },
)

test.each(['main.py', 'README.md', 'data/notes.txt'])('leaves %s as it is', async (path) =>
  expect(await clean(path, LOGIN)).toEqual({ text: LOGIN, said: [] }),
)

test.each([
  ['bunfig.toml', 'registry = { token = "npm_4711" }', 'registry = { token = "" }'],
  ['poetry.toml', '[http-basic.a]\npassword = "4711"', '[http-basic.a]\npassword = ""'],
  ['bunfig.toml', 'registry = { token = "$NPM_TOKEN" }', 'registry = { token = "$NPM_TOKEN" }'],
  ['bunfig.toml', 'token = "${NPM_TOKEN}"', 'token = "${NPM_TOKEN}"'],
  ['bunfig.toml', 'token = "$ecret"', 'token = ""'],
  [
    'bunfig.toml',
    'a = { token = "4711", password = \'4712\' }',
    'a = { token = "", password = \'\' }',
  ],
  [
    'bunfig.toml',
    'a = { url = "https://h/#x", token = "4711" }',
    'a = { url = "https://h/#x", token = "" }',
  ],
  ['poetry.toml', 'password = """4711\n4712"""\nb = 1', 'password = """"""\nb = 1'],
  ['poetry.toml', "password = '''47'11'''\nb = 1", "password = ''''''\nb = 1"],
  ['poetry.toml', 'password = "47\\"11"\nb = "c"', 'password = ""\nb = "c"'],
  ['poetry.toml', 'password = "47\'11"', 'password = ""'],
  ['poetry.toml', 'http-basic.a.password = "4711"', 'http-basic.a.password = ""'],
  ['poetry.toml', 'pypi-token.a-b = "4711"', 'pypi-token.a-b = ""'],
  ['poetry.toml', '# password = "4711"', '# password = ""'],
  ['poetry.toml', 'token-file = "a"\ntokens = "b"', 'token-file = "a"\ntokens = "b"'],
])('leaves the secrets in %s out: %s', async (path, text, plain) =>
  expect((await clean(path, text)).text).toBe(plain),
)
