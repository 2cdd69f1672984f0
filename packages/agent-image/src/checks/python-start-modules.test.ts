import { expect, test } from 'vitest'
import { ImageTree } from './image-tree.ts'
import {
  launchedStart,
  locateModule,
  pythonStartModules,
  requireModules,
} from './python-start-modules.ts'
import { requireProgram } from './start-program.ts'

const facts = { mode: 0o755, uid: 0, gid: 0, size: 0, type: 'file' } as const
const tree = new ImageTree([
  ['usr/bin/python3.13', 'app/here.py', 'app/src/talk/__init__.py'].map((path) => ({
    ...facts,
    path,
  })),
])

function check(command: string): void {
  const entrypoint = command.split(' ')
  const start = { entrypoint, workingDirectory: '/app', environment: { PATH: '/usr/bin' } }
  const started = launchedStart(start) ?? start
  requireModules(pythonStartModules(started, tree, 'usr/bin/python3.13'), tree, command, new Map())
}

test.each([
  'python -m gone',
  'python3 -u -m gone --port 1',
  'python3 -um gone',
  'python3 -mgone',
  'python3 -X dev -W error -m gone',
  'python3 -u -m uvicorn gone:app',
])('finds the module that %s starts', (command) => {
  expect(() => check(command)).toThrow(/needs the module (gone|uvicorn), which neither/)
})

test.each([
  'python3 -c pass -m gone',
  'python3 here.py -m gone',
  'python3 -u -m here',
  'python3',
  'streamlit run here.py -- --model openai:gpt',
  'chainlit run here.py --model openai:gpt',
  'langgraph dev --model openai:gpt',
])('asks for no other module for %s', (command) => {
  expect(() => check(command)).not.toThrow()
})

test('takes what the first folder has, and there a package before a module', () => {
  const paths = [
    'a/one.py',
    'a/two.py',
    'a/two/__init__.py',
    'a/three.cpython-313-x.so',
    'a/four/x',
  ]
  const later = ['one', 'two', 'three', 'four'].map((name) => `b/${name}/__init__.py`)
  const both = new ImageTree([
    [...paths, ...later, 'b/one/in.py'].map((path) => ({ ...facts, path })),
  ])
  const located = (module: string) => locateModule(module, ['/a', '/b'], both)
  expect(located('one')).toEqual({ file: '/a/one.py' })
  expect(located('one.in')).toEqual({ missing: 'one.in' })
  expect(located('two')).toEqual({ file: '/a/two/__init__.py' })
  expect(located('three')).toEqual({})
  expect(located('four')).toEqual({ file: '/b/four/__init__.py' })
})

test('says that a package in src is not installed', () => {
  expect(() => check('python -m talk')).toThrow('src/talk is not installed: add a [build-system]')
})

test('says that package managers are not in the image', () => {
  const start = { entrypoint: ['uv', 'run', 'here'], environment: { PATH: '/usr/bin' } }
  expect(() => requireProgram(tree, start)).toThrow('leave out uv run: the programs of packages')
})

test.each([
  ['opentelemetry-instrument uvicorn desk.app:app --port 80', 'uvicorn desk.app:app --port 80'],
  ['/app/.venv/bin/ddtrace-run gunicorn desk:app', 'gunicorn desk:app'],
  ['opentelemetry-instrument --traces_exporter otlp python -m desk', 'python -m desk'],
  ['env A=1 uvicorn desk:app', 'uvicorn desk:app'],
  ['python -m ddtrace.commands.ddtrace_run uvicorn desk:app', 'uvicorn desk:app'],
  ['tini -- fastapi run main.py', 'fastapi run main.py'],
  ['uvicorn desk.app:app', undefined],
  ['python -m uvicorn desk.app:app', undefined],
  ['python3 main.py uvicorn', undefined],
  ['/app/.venv/bin/desk --verbose', undefined],
])('%s starts %s in turn', (command, launched) => {
  expect(launchedStart({ entrypoint: command.split(' ') })?.entrypoint.join(' ')).toBe(launched)
})

test('looks for the module of a server that another program starts', () => {
  expect(() => check('opentelemetry-instrument uvicorn gone.app:app')).toThrow(
    'needs the module gone.app, which neither the project nor its packages have',
  )
})
