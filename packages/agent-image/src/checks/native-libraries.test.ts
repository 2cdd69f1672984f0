import { expect, test } from 'vitest'
import { ImageTree } from './image-tree.ts'
import type { LayerFile } from './layer-files.ts'
import { findLacking } from './native-libraries.ts'

const facts = { type: 'file', mode: 0o755, uid: 0, gid: 0, size: 0 } as const
const plain = (path: string, text?: string): LayerFile => ({
  ...facts,
  path,
  ...(text !== undefined && { text }),
})
const native = (path: string, needed: readonly string[], ...paths: string[]): LayerFile => ({
  ...facts,
  path,
  elf: { architecture: 'amd64', needed, paths },
})
const base = [plain('usr/lib/x86_64-linux-gnu/libc.so.6')]

function lacking(own: readonly LayerFile[], more: readonly LayerFile[] = []) {
  const tree = new ImageTree([[...base, ...more], own])
  return findLacking(own, tree, { os: 'linux', architecture: 'amd64' }, {})
}

test('names what neither the base nor the packages have', () => {
  const own = [
    native('app/cv2.so', ['libGL.so.1', 'libc.so.6']),
    native('app/qt.so', ['libb.so', 'cv2.so'], '$ORIGIN', '$ORIGIN/b'),
    native('app/lib/a.so', ['libb.so'], '$ORIGIN/../b'),
    native('app/b/libb.so', ['libc.so.6', 'libcuda.so.1']),
  ]
  const missing = ['libGL.so.1']
  expect(lacking(own)).toEqual([
    { path: 'app/cv2.so', missing, isDirect: true },
    { path: 'app/qt.so', missing, isDirect: false },
  ])
  const settings = plain('etc/ld.so.conf.d/gl.conf', '# of GL\n/opt/gl\n')
  expect(lacking(own, [settings, plain('opt/gl/libGL.so.1')])).toEqual([])
})

test('passes over files for another processor or C library', () => {
  const other = native('app/arm.so', ['libGL.so.1'])
  expect(
    lacking([
      { ...other, elf: { architecture: 'arm64', needed: ['libGL.so.1'], paths: [] } },
      native('app/a.musl.node', ['libc.musl-x86_64.so.1']),
      native('app/b.glibc.node', ['libc.so.6']),
      native('app/b.musl.node', ['libc.so']),
    ]),
  ).toEqual([])
})
