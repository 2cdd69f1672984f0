import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  namedVariables,
  requirementFiles,
  withoutEditableRepositories,
} from './requirement-files.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-requirements-'))
})
afterAll(async () => await rm(folder, { recursive: true }))

test('reads the files that requirement files name, and none outside of the folder', async () => {
  await mkdir(join(folder, 'more'))
  await writeFile(
    join(folder, 'requirements.txt'),
    '-r more/base.txt # all\n-cconstraints.txt\n--requirement=../up.txt\n-e ./lib\n',
  )
  await writeFile(
    join(folder, 'more/base.txt'),
    '-r ../requirements.txt\n--index-url https://${USER_A}:${NOT_SET}@a/\n' +
      '-e git+https://a/b.git#egg=b\n  --editable=c @ git+https://a/c\n-e hg+https://a/d\n-e ./e\n',
  )
  await writeFile(join(folder, 'constraints.txt'), '$USER_B\n')
  const files = await requirementFiles(folder, 'requirements.txt')
  expect([...files.keys()]).toEqual(['requirements.txt', 'more/base.txt', 'constraints.txt'])
  expect(namedVariables(files.values(), { USER_A: 'a', USER_B: 'b' })).toEqual({ USER_A: 'a' })
  expect(await withoutEditableRepositories(folder, files)).toEqual(['more/base.txt'])
  const changed = await readFile(join(folder, 'more/base.txt'), 'utf8')
  expect(changed.split('\n').slice(2, 6)).toEqual([
    'git+https://a/b.git#egg=b',
    '  c @ git+https://a/c',
    '-e hg+https://a/d',
    '-e ./e',
  ])
})
