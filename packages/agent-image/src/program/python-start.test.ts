import { expect, test } from 'vitest'
import { findStart, type PythonSources } from './python-start.ts'

const sources = (files: string[], others: Partial<PythonSources> = {}): PythonSources => ({
  folder: '/agent',
  has: (name) => files.includes(name),
  pyproject: {},
  procfile: undefined,
  bin: '/app/.venv/bin',
  apps: [],
  ...others,
})
const scripts = (...names: string[]) => ({
  pyproject: {
    project: { name: 'own', scripts: Object.fromEntries(names.map((name) => [name, 'a:main'])) },
  },
})
const start = (target: string, from: PythonSources) => findStart(target, from).entrypoint.join(' ')

test('starts the file with the name, before others', () => {
  expect(start('agent', sources(['app.py', 'src/main.py', 'agent.py']))).toBe('python3 agent.py')
  expect(start('agent', sources(['app.py', 'src/main.py']))).toBe('python3 src/main.py')
  expect(start('agent', sources(['main.py'], scripts('agent')))).toBe('python3 main.py')
  expect(start('ingest', sources(['main.py', 'ingest.py']))).toBe('python3 ingest.py')
})

test('starts a script of the project: with the name, of the project, or the only one', () => {
  const bin = '/app/.venv/bin'
  expect(start('agent', sources([], scripts('own', 'agent')))).toBe(`${bin}/agent`)
  expect(start('agent', sources([], scripts('other', 'own')))).toBe(`${bin}/own`)
  expect(start('agent', sources([], scripts('serve')))).toBe(`${bin}/serve`)
  expect(start('ingest', sources([], scripts('serve', 'ingest')))).toBe(`${bin}/ingest`)
  expect(() => start('ingest', sources([], scripts('serve')))).toThrow('it has serve')
  expect(() => start('agent', sources([], scripts('a', 'b')))).toThrow('it has a, b')
})

test('starts web of a Procfile that needs no shell', () => {
  const web = 'release: x\nweb: uvicorn main:app --port 8080\n'
  expect(start('agent', sources([], { procfile: web }))).toBe('uvicorn main:app --port 8080')
  expect(() => start('other', sources([], { procfile: web }))).toThrow('has no program other')
  const shell = { procfile: 'web: uvicorn main:app --port $PORT' }
  expect(() => start('agent', sources([], shell))).toThrow('needs a shell')
})

test('says what was looked for, and the line to write', () => {
  expect(() => start('agent', sources([]))).toThrow(
    '/agent has no program agent: it needs agent.py or main.py or app.py, also in src, or a ' +
      'script agent in [project.scripts] of pyproject.toml, or web in a Procfile; to start it, ' +
      'write to pyproject.toml: agent = "my_package.main:main" below [project.scripts]',
  )
  expect(() => start('agent', sources([], { apps: ['server:api'] }))).toThrow(
    'write to the Procfile: web: uvicorn server:api --host 0.0.0.0 --port 8080',
  )
})
