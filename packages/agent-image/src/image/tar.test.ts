import { createHash } from 'node:crypto'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  directoryEntry,
  fileEntry,
  hostTreeEntries,
  orderEntries,
  symlinkEntry,
  type Entry,
} from './entries.ts'
import { readTar, writeTar } from './tar.ts'

const longName = `${'deep/'.repeat(40)}file.txt`

async function digest(entries: readonly Entry[]): Promise<string> {
  return createHash('sha256')
    .update(await buffer(writeTar(entries)))
    .digest('hex')
}

async function readAll(entries: readonly Entry[]): Promise<Entry[]> {
  return readTar(Readable.from([await buffer(writeTar(entries))]), () => true)
}

describe('the order of entries', () => {
  it('adds missing parents, puts them before their children and hard links last', () => {
    const link: Entry = {
      type: 'hardlink',
      path: 'a/link',
      target: 'b/file',
      mode: 0o644,
      uid: 0,
      gid: 0,
    }
    const ordered = orderEntries([fileEntry('b/file', 'x'), link, fileEntry('a.txt', 'y')])
    expect(ordered.map(({ path }) => path)).toEqual(['a', 'a.txt', 'b', 'b/file', 'a/link'])
  })

  it('keeps a parent that was given', () => {
    const ordered = orderEntries([
      fileEntry('home/app/x', ''),
      directoryEntry('home/app', { uid: 1000, mode: 0o700 }),
    ])
    expect(ordered[1]).toMatchObject({ path: 'home/app', uid: 1000, mode: 0o700 })
  })

  it('rejects two entries with the same path', () => {
    expect(() => orderEntries([fileEntry('a', '1'), fileEntry('a', '2')])).toThrow(
      'a is in the layer twice',
    )
  })
})

describe('layers as tars', () => {
  it('take no set-user-id or set-group-id bits from files, and keep the sticky bit', async () => {
    const read = await readAll([
      { ...fileEntry('bin/su', 'x'), mode: 0o6755 },
      directoryEntry('tmp', { mode: 0o1777 }),
    ])
    expect(read.map(({ path, mode }) => [path, mode])).toEqual([
      ['bin', 0o755],
      ['bin/su', 0o755],
      ['tmp', 0o1777],
    ])
  })

  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-tar-'))
    await writeFile(join(folder, 'program'), '#!/bin/sh\n', { mode: 0o755 })
    await writeFile(join(folder, 'empty'), '')
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('do not depend on the order and times of their files', async () => {
    const before = await digest(await hostTreeEntries('app', folder))
    await utimes(join(folder, 'program'), 1, 1)
    const after = (await hostTreeEntries('app', folder)).toReversed()
    expect(await digest(after)).toBe(before)
  })

  it('differ if a mode, an owner or the content differs', async () => {
    const tars: Entry[][] = [
      [fileEntry('a', 'x')],
      [fileEntry('a', 'y')],
      [fileEntry('a', 'x', { executable: true })],
      [{ ...fileEntry('a', 'x'), uid: 1000 }],
    ]
    expect(new Set(await Promise.all(tars.map(digest))).size).toBe(tars.length)
  })

  it('are read as they were written, including long names and links', async () => {
    const entries = [
      fileEntry(longName, 'far down'),
      symlinkEntry('bin', 'usr/bin'),
      ...(await hostTreeEntries('app', folder)),
    ]
    const read = await readAll(entries)
    expect(read.map(({ path }) => path)).toEqual(orderEntries(entries).map(({ path }) => path))
    expect(read.find(({ path }) => path === longName)).toMatchObject({
      content: Buffer.from('far down'),
    })
    expect(read.find(({ path }) => path === 'bin')).toMatchObject({
      type: 'symlink',
      target: 'usr/bin',
    })
    expect(read.find(({ path }) => path === 'app/program')).toMatchObject({ mode: 0o755, uid: 0 })
    expect(read.find(({ path }) => path === 'app/empty')).toMatchObject({
      type: 'file',
      content: Buffer.alloc(0),
    })
  })

  it('fail if a file shrinks before it is read', async () => {
    const entry: Entry = {
      ...fileEntry('a', ''),
      type: 'file',
      content: { file: join(folder, 'program'), sizeBytes: 2_000_000 },
    }
    await expect(buffer(writeTar([entry]))).rejects.toThrow('changed while it was packed')
  })

  const link: Entry = { ...fileEntry('a', ''), type: 'hardlink', path: 'a', target: '../b' }
  it.each<[string, Entry]>([
    ['..', fileEntry('app/../../etc/passwd', '')],
    ['an absolute path', fileEntry('/etc/passwd', '')],
    ['NUL', fileEntry('app/a\0.txt', '')],
    ['a hard link to outside', link],
  ])('are not written with %s', async (_, entry) => {
    await expect(buffer(writeTar([entry]))).rejects.toThrow('is not a path inside of an image')
  })

  it('are not written with a file below a link', async () => {
    const entries = [symlinkEntry('app', '/etc'), fileEntry('app/passwd', '')]
    await expect(buffer(writeTar(entries))).rejects.toThrow('but app is not a folder there')
  })

  it.each([
    { name: '../etc/passwd' },
    { name: 'a/../../etc/passwd' },
    { name: 'a', type: 'link', linkname: '../../etc/passwd' } as const,
  ])('are not read with a path that leaves them: %s', async (header) => {
    const archive = pack()
    archive.entry(header, '')
    archive.finalize()
    const reading = readTar(Readable.from(archive), () => true)
    await expect(reading).rejects.toThrow('is not a path inside of an image')
  })

  it('are read without devices and without entries that `keep` rejects', async () => {
    const archive = pack()
    archive.entry({ name: './dev/null', type: 'character-device' })
    archive.entry({ name: './etc/hostname' }, 'builder')
    archive.entry({ name: './etc/passwd' }, 'root')
    archive.finalize()
    const read = await readTar(Readable.from(archive), (path) => path !== 'etc/hostname')
    expect(read.map(({ path }) => path)).toEqual(['etc/passwd'])
  })
})
