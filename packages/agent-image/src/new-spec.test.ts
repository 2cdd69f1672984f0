import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkSpec } from '@slipway/agent-spec'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasProject, newSpec } from './new-spec.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-new-spec-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

async function specOf(files: Readonly<Record<string, string>>) {
  await write(files)
  return await newSpec(folder, 'desk')
}

const HEAD = 'spec: astro/v1\nname: desk\nagent:\n  build: { context: . }\n'
const APP = 'from fastapi import FastAPI\nfrom .graph import graph\napp = FastAPI()\n'

test('serves the app of a package, although a new project has a script that prints', async () => {
  const spec = await specOf({
    'pyproject.toml':
      '[project]\nname = "desk"\ndependencies = ["fastapi", "opentelemetry-distro>=0.6"]\n' +
      '[project.scripts]\ndesk = "desk:main"\n',
    'src/desk/__init__.py': 'def main() -> None:\n    print("Hello from desk!")\n',
    'src/desk/app.py': APP,
  })
  expect(spec).toEqual({
    text:
      `${HEAD}  command: opentelemetry-instrument uvicorn --app-dir src desk.app:app ` +
      '--host 0.0.0.0 --port $PORT\n  port: 8080\n',
    notes: ['src/desk/app.py has an app'],
  })
})

test('leaves the start to a script that serves, with its port', async () => {
  const spec = await specOf({
    'pyproject.toml':
      '[project]\nname = "desk"\n[tool.poetry.scripts]\ndesk = "desk.server:main"\n',
    'src/desk/server.py': 'def main():\n    serve(app, port=int(os.environ.get("PORT", "8081")))\n',
    'src/desk/app.py': APP,
  })
  expect(spec.text).toBe(`${HEAD}  port: 8081\n`)
})

test('takes the variables of the example, and no value of a secret', async () => {
  const spec = await specOf({
    'package.json': '{"scripts": {"start": "node dist/server.js"}}',
    'src/server.ts': 'serve({ port: Number(process.env.PORT ?? 3000) })',
    '.env.example':
      '# for development\nOPENAI_API_KEY=sk-example\nMODEL="gpt-4.1-mini"\nPORT=3000\n' +
      'DATABASE_URL=postgres://me:pass@localhost/db\nREGION=\n',
  })
  expect(spec.text).toBe(
    `${HEAD}  port: 3000\n  inputs:\n` +
      '    - { name: DATABASE_URL, datatype: string, secret: true }\n' +
      '    - { name: MODEL, datatype: string, default: gpt-4.1-mini }\n' +
      '    - { name: OPENAI_API_KEY, datatype: string, secret: true }\n' +
      '    - { name: REGION, datatype: string, optional: true }\n',
  )
  expect(spec.notes).toEqual([
    'scripts.start of package.json starts dist/server.js',
    'inputs are the variables in .env.example',
  ])
})

test.each([
  'postgres://<user>:<password>@<host>/db',
  'mongodb+srv://<username>:<password>@cluster.example',
  'postgres://${DB_USER}:${DB_PASSWORD}@db/x',
  'postgres://user:pass@${HOST}/db',
  'https://me@example.com',
])('takes %s as a secret', async (value) => {
  const spec = await specOf({ 'main.py': '', '.env.example': `DATABASE_URL=${value}\n` })
  expect(spec.text).toContain('- { name: DATABASE_URL, datatype: string, secret: true }\n')
})

test('says that nothing starts, and that the port is a guess', async () => {
  const spec = await specOf({ 'requirements.txt': 'httpx\n', 'lib.py': 'x = 1\n' })
  expect(spec.text).toBe(`${HEAD}  port: 8080\n`)
  expect(spec.notes).toEqual([
    expect.stringContaining('nothing says what starts: '),
    expect.stringContaining('port 8080 is a guess'),
  ])
})

test('builds from a Dockerfile, and knows nothing of an empty folder', async () => {
  await write({ 'notes.md': '' })
  expect(hasProject(folder)).toBe(false)
  const spec = await specOf({ Dockerfile: 'FROM x\nEXPOSE 7000/tcp\n', 'main.py': '' })
  expect(hasProject(folder)).toBe(true)
  expect(spec.text).toContain('build: { context: ., dockerfile: Dockerfile }\n  port: 7000\n')
})

test('is valid, also with odd names and values', async () => {
  const spec = await specOf({
    'main.py': 'run(port=8000)',
    '.env.example': 'A="no: # {b}"\nYES=true\nN=010\n',
  })
  expect(checkSpec(spec.text, { allowsBuilds: true })).toEqual([])
})
