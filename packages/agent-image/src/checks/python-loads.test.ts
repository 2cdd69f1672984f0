import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileEntry } from '../image/entries.ts'
import { LayerCache } from '../image/layer-cache.ts'
import { loadedByPython } from './python-loads.ts'

async function loaded(
  files: Readonly<Record<string, string>>,
  suspects: readonly string[],
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-loads-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const entries = Object.entries(files).map(([path, text]) => fileEntry(path, text))
  const layers = [await new LayerCache(folder).layer(entries)]
  const start = { modules: [], files: ['/app/main.py'], searchPath: ['/app', '/lib'] }
  return [...(await loadedByPython(suspects, start, layers))]
}

const MAIN = { 'app/main.py': 'import one\n' }
const NATIVE = 'lib/native.cpython-313-x.so'

test('follows the package of a later folder', async () => {
  expect(await loaded({ ...MAIN, 'lib/one/__init__.py': 'import native\n' }, [NATIVE])).toEqual([
    NATIVE,
  ])
})

test('follows the module of a folder before the package of a later one', async () => {
  const both = { ...MAIN, 'app/one.py': '', 'lib/one/__init__.py': 'import native\n' }
  expect(await loaded(both, [NATIVE])).toEqual([])
})

test('takes more suspects than an argument of a program may have', async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `lib/module-with-a-name-${index}/x.so`)
  expect(await loaded({ 'app/main.py': 'import native\n' }, [NATIVE, ...many])).toEqual([NATIVE])
})
