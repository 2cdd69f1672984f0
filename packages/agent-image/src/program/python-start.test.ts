import { expect, test } from 'vitest'
import { findApp } from './python-apps.ts'
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
  const api = findApp('src/server.py', 'api: FastAPI = FastAPI()')
  expect(() => start('agent', sources([], { apps: api === undefined ? [] : [api] }))).toThrow(
    'to start the app in src/server.py, write to astroai.yml, next to build: command: uvicorn ' +
      '--app-dir src server:api --host 0.0.0.0 --port $PORT, and port: 8080; and name uvicorn ' +
      'among the packages',
  )
  expect(() => start('agent', sources(['langgraph.json']))).toThrow('langgraph dockerfile')
})

test('starts no file that only defines an app, if a Procfile serves it', () => {
  const idle = findApp('main.py', 'from flask import Flask\napp = Flask(__name__)\n')
  const apps = idle === undefined ? [] : [idle]
  const found = sources(['main.py'], { apps })
  expect(findStart('agent', found).warning).toContain(
    'main.py has an app, but starts no server: write to astroai.yml, next to build: command: ' +
      'gunicorn main:app --bind 0.0.0.0:$PORT, and port: 8080',
  )
  const procfile = 'web: gunicorn main:app'
  expect(start('agent', { ...found, procfile })).toBe('gunicorn main:app')
  const served = findApp('main.py', 'app = FastAPI()\nuvicorn.run(app, port=8080)\n')
  expect(served?.runs).toBe(true)
  const running = sources(['main.py'], { apps: served === undefined ? [] : [served], procfile })
  expect(start('agent', running)).toBe('python3 main.py')
})

test.each([
  ['app/main.py', true, 'uvicorn app.main:app'],
  ['src/desk/app.py', true, 'uvicorn --app-dir src desk.app:app'],
  ['service/app.py', false, 'uvicorn --app-dir service app:app'],
])('imports an app in %s as what it is', (file, inPackage, command) => {
  const app = findApp(file, 'from .graph import graph\napp = FastAPI()\n', inPackage)
  expect(app?.command).toBe(`${command} --host 0.0.0.0 --port $PORT`)
})
