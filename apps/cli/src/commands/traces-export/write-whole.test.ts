import { mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { writeWhole } from './write-whole.ts'

const { signal } = new AbortController()

async function* pieces(failure?: Error) {
  yield 'first '
  if (failure !== undefined) throw failure
  yield 'last'
}

test('a file has all pieces, in place of what it had', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'slipway-export-'))
  const path = join(folder.path, 'traces.json')
  await writeFile(path, 'something longer than the pieces')
  await writeWhole(path, pieces(), signal)
  expect(await readFile(path, 'utf8')).toBe('first last')
  expect(await readdir(folder.path)).toEqual(['traces.json'])
})

test('a failure or an interruption leaves the folder as it was', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'slipway-export-'))
  const path = join(folder.path, 'traces.json')
  await expect(writeWhole(path, pieces(new Error('cut')), signal)).rejects.toThrow('cut')
  await expect(writeWhole(path, pieces(), AbortSignal.abort())).rejects.toThrow(/abort/)
  expect(await readdir(folder.path)).toEqual([])
  await writeFile(path, 'before')
  await expect(writeWhole(path, pieces(new Error('cut')), signal)).rejects.toThrow('cut')
  expect(await readFile(path, 'utf8')).toBe('before')
})

test('a folder that does not exist', async () => {
  const path = join(tmpdir(), 'no-such-folder', 'traces.json')
  await expect(writeWhole(path, pieces(), signal)).rejects.toMatchObject({ exitCode: 2 })
})
