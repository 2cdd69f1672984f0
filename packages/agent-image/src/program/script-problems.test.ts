import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scriptProblems } from './script-problems.ts'

const PACKAGE = {
  'here/__init__.py': '',
  'here/cli.py': 'def main(): pass\n',
  'here/deep/__init__.py': 'def run(): pass\n',
}

let environment: string
beforeAll(async () => {
  environment = await mkdtemp(join(tmpdir(), 'slipway-scripts-'))
  await promisify(execFile)('python3', ['-m', 'venv', '--without-pip', environment])
  const [version = ''] = await readdir(join(environment, 'lib'))
  for (const [path, text] of Object.entries(PACKAGE)) {
    const file = join(environment, 'lib', version, 'site-packages', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
})
afterAll(() => rm(environment, { recursive: true }))

async function problemOf(place: string): Promise<string | undefined> {
  const python = join(environment, 'bin/python')
  return (await scriptProblems(python, [['agent', place]], undefined))['agent']
}

test.each(['here:cli.main', 'here.cli:main', 'here:deep.run', 'here.deep:run', 'here'])(
  'finds %s',
  async (place) => expect(await problemOf(place)).toBeUndefined(),
)

test.each([
  ['here:gone.main', "here doesn't define gone (it has no names)"],
  ['here.cli:gone', "here.cli doesn't define gone (it has main)"],
  ['here.gone:main', 'no package that is installed has the module here.gone of here.gone:main'],
])('says what %s lacks', async (place, problem) => expect(await problemOf(place)).toBe(problem))
