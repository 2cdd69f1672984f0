import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readElf } from './elf.ts'

/** The loader's own list: names, and the files that it has found. */
function listed(file: string): string[] {
  const output = execFileSync('ldd', [file], { encoding: 'utf8' })
  return [...output.matchAll(/^\s*(\S+)(?= => | \()/gm)].map(([, name = '']) => name)
}

const programs = [process.execPath, '/bin/ls', '/usr/bin/env', '/usr/bin/git'].map((file) =>
  realpathSync(file),
)

test.each(programs)('reads what %s needs as the loader does', (file) => {
  const facts = readElf(readFileSync(file))
  expect(facts?.architecture).toBe({ x64: 'amd64', arm64: 'arm64' }[process.arch as 'x64'])
  expect(facts?.interpreter).toMatch(/^\/lib.*\/ld-linux/)
  expect(facts?.needed).toContain('libc.so.6')
  expect(listed(file)).toEqual(
    expect.arrayContaining(facts?.needed.filter((name) => !name.startsWith('ld-linux')) ?? []),
  )
})

test('reads what all libraries of a program need', () => {
  const output = execFileSync('ldd', [realpathSync('/usr/bin/git')], { encoding: 'utf8' })
  const files = [...output.matchAll(/=> (\/\S+)/g)].map(([, file = '']) => realpathSync(file))
  expect(files).not.toEqual([])
  for (const file of files)
    expect(listed(file)).toEqual(
      expect.arrayContaining(
        readElf(readFileSync(file))?.needed.filter((name) => !name.startsWith('ld-linux')) ?? [''],
      ),
    )
})

test('knows nothing about other and damaged files', () => {
  expect(readElf(Buffer.from('#!/bin/sh\n'))).toBeUndefined()
  expect(readElf(Buffer.alloc(0))).toBeUndefined()
  const file = readFileSync('/usr/bin/env')
  fc.assert(
    fc.property(fc.nat(file.length), fc.nat(300), fc.nat(255), (length, at, value) => {
      const damaged = Buffer.from(file.subarray(0, length))
      if (at >= 6 && at < length) damaged[at] = value
      expect(readElf(damaged)?.needed.length ?? 0).toBeLessThan(10_001)
    }),
  )
})
