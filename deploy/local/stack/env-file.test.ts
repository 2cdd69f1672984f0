import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseEnv, renderEnv } from './env-file.ts'

const values = new Map([
  ['B', 'it\'s got $HOME, `ticks`, "quotes" & spaces'],
  ['A', 'postgres://user:pass@127.0.0.1:9432/catalog'],
  ['C', 'postgres://u:p@host/db?sslmode=require&options=-c%20x'],
  ['D', ''],
])

test('sorts the keys, and does not quote plain values', () => {
  expect(renderEnv(values).split('\n')[0]).toBe('A=postgres://user:pass@127.0.0.1:9432/catalog')
})

test('reads what it writes', () => {
  expect(parseEnv(renderEnv(values))).toEqual(values)
})

test('writes what a shell reads the same way', () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-env-'))
  try {
    const file = join(directory, 'env')
    writeFileSync(file, renderEnv(values))
    const names = [...values.keys()].join(' ')
    const script = `. "$0"; for name in ${names}; do eval "printf '%s\\n' \\"\\$$name\\""; done`
    const read = execFileSync('sh', ['-c', script, file], { encoding: 'utf8' })
    expect(read).toBe([...values.values(), ''].join('\n'))
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('rejects a line break', () => {
  expect(() => renderEnv(new Map([['A', 'a\nb']]))).toThrow('line break')
})
