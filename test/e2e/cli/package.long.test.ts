import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { pack } from '@slipway/cli/pack'
import { expect, test } from 'vitest'

import { tokenOf } from '../../support/api.ts'
import { fromStack } from '../../support/environment.ts'

const run = promisify(execFile)
const CHECKOUT = join(import.meta.dirname, '../../..')
const MAX_BYTES = 1_000_000

test('the packed command line can be installed elsewhere, and works', async () => {
  await using folder = {
    path: await mkdtemp(join(tmpdir(), 'slipway-package-')),
    [Symbol.asyncDispose]: async () => await rm(folder.path, { recursive: true }),
  }
  const { path, bytes } = await pack(folder.path)
  expect(bytes).toBeLessThan(MAX_BYTES)
  const prefix = join(folder.path, 'prefix')
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder.path, SLIPWAY_KEYRING: 'off' }
  // Without optional dependencies, which need a registry. Then tokens are in a file.
  const options = ['--global', '--prefix', prefix, '--omit', 'optional', '--offline']
  const cache = ['--cache', join(folder.path, 'cache')]
  await run('npm', ['install', ...options, ...cache, path], { env })

  const slipway = async (...args: string[]) =>
    await run(join(prefix, 'bin/slipway'), args, {
      env: { ...env, SLIPWAY_URL: fromStack('SLIPWAY_URL'), SLIPWAY_TOKEN: await tokenOf('alice') },
      cwd: folder.path,
    })
  expect((await slipway('--help')).stdout).toContain('slipway login')
  const manifest = JSON.parse(await readFile(join(CHECKOUT, 'package.json'), 'utf8'))
  expect((await slipway('--version')).stdout.trim()).toBe(manifest.version)
  expect((await slipway('whoami')).stdout).toContain('alice@example.test')

  // Node takes its own options also from behind the name of a program that isn't started with `--`.
  const { stdout: help } = await run(process.execPath, ['--help'], { env })
  const ofNode = new Set(help.match(/(?<=^ +(-\w, )?)--[\w-]+/gm))
  expect(ofNode).toContain('--env-file')
  // Node reads its own configuration files in any case.
  const kept = /^--(help|version|experimental-(default-)?config-file)$/
  for (const option of [...ofNode].filter((each) => !kept.test(each))) {
    const call = slipway('whoami', `${option}=/missing`)
    await expect(call).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`error: there is no option ${option}`),
    })
  }

  const installed = join(prefix, 'lib/node_modules/slipway')
  expect(await readdir(join(prefix, 'share/man/man1'))).toContain('slipway.1')
  const programs = await readdir(join(installed, 'dist'))
  for (const program of programs)
    expect(await readFile(join(installed, 'dist', program), 'utf8')).not.toContain(CHECKOUT)
})
