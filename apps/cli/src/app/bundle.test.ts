import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { bundle } from '../../scripts/bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'slipway-bundle-'))
const dist = join(folder, 'dist')
const listing = join(folder, 'list.cjs')

beforeAll(async () => {
  await bundle(folder)
  const list = 'console.error(JSON.stringify(Object.keys(require.cache)))'
  writeFileSync(listing, `process.on('exit', () => ${list})\n`)
})

afterAll(() => rmSync(folder, { recursive: true }))

/** The files of the bundle that a call has loaded. */
function loadedBy(...args: readonly string[]): string[] {
  const call = ['--require', listing, join(dist, 'slipway.js'), ...args]
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, TMPDIR: folder }
  const { stderr, status } = spawnSync(process.execPath, call, { env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^\[/)])
  const files = JSON.parse(stderr) as string[]
  return files.filter((file) => file.startsWith(dist)).map((file) => basename(file))
}

test('loads one file with all that every command needs', () => {
  const files = loadedBy('--version').map((file) => file.replace(/-[\w-]{8}(?=\.js$)/, ''))
  expect(files.toSorted()).toEqual(['program.js', 'rolldown-runtime.js', 'slipway.js', 'start.js'])
})

test('loads little more for a command that needs no server', () => {
  expect(loadedBy('context', 'list', '--json').length).toBeLessThan(8)
})

// The first one to be loaded would see only a part of the other.
test('has no files that need each other', () => {
  const needs = new Map(
    readdirSync(dist).map((name) => {
      const calls = readFileSync(join(dist, name), 'utf8').matchAll(
        // What a command loads later is behind `then`.
        /(?<!then\(\(\) => )require\("\.\/([^"]+)"\)/g,
      )
      return [name, [...calls].map(([, needed = '']) => needed)]
    }),
  )
  expect(needs.size).toBeGreaterThan(50)
  const reach = (name: string, found = new Set<string>()): Set<string> => {
    for (const each of needs.get(name) ?? []) if (!found.has(each)) reach(each, found.add(each))
    return found
  }
  expect([...needs.keys()].filter((name) => reach(name).has(name))).toEqual([])
})

test('finds the measure of wide characters, which no other file needs', () => {
  const load = createRequire(join(dist, 'slipway.js'))
  const { default: measure } = load('#string-width') as { default: (text: string) => number }
  expect(measure('東京')).toBe(4)
  expect(loadedBy('--help')).not.toContain('string-width.js')
})
