import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

const CHECKOUT = join(import.meta.dirname, '../../..')
const LOCKFILE = "lockfileVersion: '9.0'\nimporters:\n  .: {}\n"

/** A checkout without dependencies, whose command line prints its arguments and variables. */
function checkout({ lockfile = LOCKFILE } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-checkout-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const file of ['dev', 'slipway']) cpSync(join(CHECKOUT, file), join(folder, file))
  const program = 'apps/cli/src/main.ts'
  mkdirSync(dirname(join(folder, program)), { recursive: true })
  const files = {
    [program]: 'console.log(JSON.stringify([process.argv.slice(2), process.env]))',
    'package.json': JSON.stringify({ engines: { node: '>=24.12' } }),
    'pnpm-lock.yaml': lockfile,
    'pnpm-workspace.yaml': 'packages: []\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

function run(folder: string, program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  return spawnSync(join(folder, program), args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], SLIPWAY_CACHE_DIR: process.env['SLIPWAY_CACHE_DIR'], ...env },
    encoding: 'utf8',
  })
}

test.each(['', 'cache'])('the launcher ignores XDG_CACHE_HOME="%s", and HOME', (value) => {
  const folder = checkout()
  const env = { XDG_CACHE_HOME: value, XDG_CONFIG_HOME: value, HOME: value }
  const { status, stdout, stderr } = run(folder, 'slipway', ['deploy', '--env-file', 'a'], env)
  expect({ status, stderr }).toMatchObject({ status: 0 })
  const [args, variables] = JSON.parse(stdout) as [string[], NodeJS.ProcessEnv]
  expect(args).toEqual(['deploy', '--env-file', 'a'])
  expect(variables).not.toHaveProperty('XDG_CACHE_HOME')
  expect(variables['HOME']).toMatch(/^\//)
  // Such as the folders of pnpm's cache and settings.
  expect(readdirSync(folder).sort()).toEqual([
    'apps',
    'dev',
    'node_modules',
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'slipway',
  ])
})

test('the command line does not show how it is installed', () => {
  const { stderr, stdout } = run(checkout(), 'slipway', ['version'], {})
  expect(stderr).toBe('slipway: preparing this checkout, which can take a minute\n')
  expect(stdout).toContain('version')
})

test('shows what an installation has printed if it fails', () => {
  const folder = checkout({ lockfile: 'lockfileVersion: [' })
  const { status, stderr } = run(folder, 'slipway', ['version'], {})
  expect(status).toBe(1)
  expect(stderr).toContain('pnpm-lock.yaml')
  expect(stderr).toMatch(/slipway: failed while installing the dependencies; correct .*\n$/)
  expect(stderr).not.toMatch(/^dev:/m)
})
