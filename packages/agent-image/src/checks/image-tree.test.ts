import { expect, test } from 'vitest'
import { ImageTree } from './image-tree.ts'
import type { LayerFile } from './layer-files.ts'

const facts = { mode: 0o755, uid: 0, gid: 0, size: 0 }
const file = (path: string): LayerFile => ({ ...facts, path, type: 'file' })
const link = (path: string, target: string): LayerFile => ({
  ...facts,
  path,
  type: 'symlink',
  target,
})

const tree = new ImageTree([
  [link('lib', 'usr/lib'), file('usr/lib/libc.so.6'), file('usr/bin/python3.11'), file('tmp/a')],
  [
    link('usr/bin/python3', 'python3.11'),
    link('app/.venv/bin/python', '/usr/bin/python3'),
    link('app/up', '../../../usr'),
    link('circle', 'circle'),
    link('gone', 'nowhere/at/all'),
    { ...facts, path: 'hard', type: 'link', target: 'usr/lib/libc.so.6' },
    file('tmp/.wh.a'),
  ],
])

test.each([
  ['/lib/libc.so.6', 'usr/lib/libc.so.6'],
  ['/app/.venv/bin/python', 'usr/bin/python3.11'],
  ['/app/up/bin/../lib/./libc.so.6', 'usr/lib/libc.so.6'],
  ['/hard', 'usr/lib/libc.so.6'],
  ['/usr', 'usr'],
])('follows links of %s', (path, expected) => {
  expect(tree.resolve(path)?.path).toBe(expected)
})

test('says what is missing', () => {
  expect(tree.walk('/gone').missing).toBe('/nowhere')
  expect(tree.walk('/circle').missing).toBe('/circle')
  expect(tree.resolve('/tmp/a')).toBeUndefined()
})

test('takes what a layer removes from the layers below it', () => {
  const opaque = new ImageTree([
    [file('a/one'), file('a/two')],
    [file('a/three'), file('a/.wh..wh..opq')],
    [file('.wh.b'), file('b/c')],
  ])
  expect([opaque.resolve('/a/one'), opaque.resolve('/a/three')?.path]).toEqual([
    undefined,
    'a/three',
  ])
  expect([opaque.hasName('two'), opaque.hasName('c')]).toEqual([false, true])
})
