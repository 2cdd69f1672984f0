import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findPythonWorkspace, neededMembers } from './python-workspace.ts'

let root: string
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'slipway-python-workspace-')))
  const project = (name: string, dependencies = ''): string =>
    `[project]\nname = "${name}"\ndependencies = [${dependencies}]\n`
  await write('pyproject.toml', '[tool.uv.workspace]\nmembers = ["*/*"]\nexclude = ["libs/old"]\n')
  await write('agents/a/pyproject.toml', project('a', '"One_Lib[extra]>=1"'))
  await write('libs/one/pyproject.toml', project('one-lib', '"two"'))
  await write('libs/two/pyproject.toml', project('two'))
  await write('libs/three/pyproject.toml', project('three'))
  await write('libs/old/pyproject.toml', project('old'))
})
afterAll(() => rm(root, { recursive: true }))

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

test('finds the workspace that lists a folder, and what the agent needs of it', async () => {
  const workspace = await findPythonWorkspace(join(root, 'agents/a'))
  expect(workspace?.root).toBe(root)
  expect(workspace?.members.map(({ place }) => place).toSorted()).toEqual(
    ['', 'agents/a', 'libs/one', 'libs/three', 'libs/two'].toSorted(),
  )
  const needed = workspace && neededMembers(workspace)
  expect(needed?.map(({ place }) => place)).toEqual(['agents/a', 'libs/one', 'libs/two'])
})

test('leaves projects alone that a workspace excludes, or that have own packages', async () => {
  expect(await findPythonWorkspace(join(root, 'libs/old'))).toBeUndefined()
  expect(await findPythonWorkspace(root)).toBeUndefined()
  await write('libs/three/requirements.txt', '')
  expect(await findPythonWorkspace(join(root, 'libs/three'))).toBeUndefined()
})
