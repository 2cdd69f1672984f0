import { inspect } from 'node:util'

import { expect, test } from 'vitest'
import { fileEntry } from '../image/entries.ts'
import {
  findPackages,
  isPackage,
  pythonProblem,
  readPyProject,
  scriptsOf,
} from './python-project.ts'

const having = (...names: string[]) => {
  const files = new Set(names)
  return (name: string) => files.has(name)
}
const read = async (text: string) => await readPyProject(fileEntry('app/pyproject.toml', text))
const project = '[project]\nname = "a"\n'

test.each([
  ['uv', 'uv.lock', project, 'uv.lock'],
  ['poetry', 'poetry.lock', project, 'poetry.lock'],
  ['pdm', 'pdm.lock', project, 'pdm.lock'],
  ['uv', 'pyproject.toml', project],
  ['poetry', 'pyproject.toml', '[tool.poetry]\nname = "a"'],
  ['pdm', 'pyproject.toml', `${project}[tool.pdm]\n`],
  ['pip', 'requirements.txt', project, 'requirements.txt'],
  ['pip', 'setup.py', '', 'setup.py'],
])('lets %s install the packages of %s', async (manager, file, text, ...others) => {
  const found = findPackages(having('pyproject.toml', ...others), await read(text))
  expect(found).toEqual({ manager, file, unused: [] })
})

test('takes requirements.txt before lockfiles, and names those', () => {
  expect(findPackages(having('requirements.txt', 'uv.lock'), {})?.unused).toEqual(['uv.lock'])
})

test('finds no packages in a pyproject.toml that has the settings of tools', async () => {
  const pyproject = await read('[tool.ruff]\nline-length = 100')
  expect(findPackages(having('pyproject.toml', 'main.py'), pyproject)).toBeUndefined()
})

test('refuses two lockfiles', () => {
  expect(() => findPackages(having('uv.lock', 'poetry.lock'), {})).toThrow(
    'uv.lock and poetry.lock, of different package managers',
  )
})

test('knows which projects are packages', async () => {
  const build = '[build-system]\nrequires = []\n'
  expect(isPackage(await read(project))).toBe(false)
  expect(isPackage(await read(project + build))).toBe(true)
  expect(isPackage(await read(`[tool.poetry]\n${build}`))).toBe(true)
  expect(isPackage(await read('[tool.poetry]\npackage-mode = false'))).toBe(false)
  expect(isPackage(await read(`${build}[tool.pdm]\ndistribution = false`))).toBe(false)
})

test('reads scripts, and names what is not TOML', async () => {
  const text = '[project.scripts]\nagent = "a:main"\n[tool.poetry.scripts]\nb = {callable = "b"}'
  expect([...scriptsOf(await read(text))]).toEqual([['agent', 'a:main']])
  await expect(read('[project')).rejects.toThrow('pyproject.toml is not valid')
})

test.each([
  ['>=3.10', ''],
  ['>=3.10,<4', ''],
  ['~=3.11.0', ''],
  ['==3.11.*', ''],
  ['>=3.12', 'requires-python = ">=3.12", but the base packages has Python 3.11.2; build with'],
  ['<3.11', 'requires-python = "<3.11"'],
])('compares requires-python %s with the base', async (required, problem) => {
  const pyproject = await read(`${project}requires-python = "${required}"`)
  const found = pythonProblem(pyproject, '3.11.2', 'packages')
  expect(found ?? '').toContain(problem)
  expect(found === undefined).toBe(problem === '')
})

test('says where a pyproject.toml is not valid, and quotes none of it', async () => {
  const text = '[[tool.uv.index]]\nurl = "https://user:SECRET@pypi.example\n'
  const error = await read(text).catch((each: unknown) => each)
  expect(inspect(error)).toContain('pyproject.toml is not valid: Invalid TOML document')
  expect(inspect(error)).toContain('(line 2)')
  expect(inspect(error)).not.toContain('SECRET')
})
