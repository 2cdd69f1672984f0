import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileEntry } from '../image/entries.ts'
import { LayerCache } from '../image/layer-cache.ts'
import { objectWarnings } from './python-objects.ts'

async function warnings(source: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-objects-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const layer = await new LayerCache(folder).layer([fileEntry('app/main.py', source)])
  const named = { module: 'main', name: 'app', file: '/app/main.py' }
  return await objectWarnings(named, layer, 'uvicorn main:app', undefined)
}

test.each([
  'def start():\n  global app\n  app = 1\nstart()\n',
  'def start():\n  global app\n  from x import y as app\nstart()\n',
  'def start():\n  global app\n  def app(): pass\nstart()\n',
  '\uFEFFapp = 1\n',
  '# coding: latin-1\napp = 1\n',
  'def start():\n  global app\n  class app: pass\nstart()\n',
])('finds app in %j', async (source) => expect(await warnings(source)).toEqual([]))

test('reads modules that are larger than an argument of a program may be', async () => {
  const text = `"""${'é'.repeat(200_000)}"""\n`
  await expect(warnings(`${text}api = 1\n`)).rejects.toThrow(
    "main.py doesn't define it (it has api)",
  )
  expect(await warnings(`${text}app = 1\n`)).toEqual([])
})
