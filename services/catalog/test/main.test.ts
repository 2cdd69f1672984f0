import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import { childEnvironment, testDatabase } from '@slipway/testing'
import { expect, test } from 'vitest'

import { migrations } from '../src/db/migrations/index.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Runs the process to its end; returns its exit code, output and errors. */
async function run(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number; output: string; errors: string }> {
  const child = spawn(process.execPath, [MAIN, ...command], {
    env: { ...childEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[code], output, errors] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, output, errors }
}

/** A bad NATS_URL doesn't stop the process: events wait until it is corrected. */
const INVALID = { NATS_URL: 'nowhere', GRPC_ADDRESS: '9101', AUTH_ISSUERS: '[]' }

test('an invalid configuration ends the process with code 2 and all problems', async () => {
  const { code, output, errors } = await run([], INVALID)
  expect([code, output]).toEqual([2, ''])
  expect(errors.trim().split('\n')).toEqual([
    'the configuration is not valid:',
    '  GRPC_ADDRESS: must be host:port',
    expect.stringMatching(/^ {2}AUTH_ISSUERS: /),
    '  DATABASE_URL: is required',
  ])
})

test.each(['migrate', 'replay'])('%s needs no setting but the database', async (command) => {
  const errors = 'the configuration is not valid:\n  DATABASE_URL: is required\n'
  expect(await run([command], INVALID)).toEqual({ code: 2, output: '', errors })
})

test('migrate prints what it did', async () => {
  await using database = await testDatabase({ migrations: {} })
  const { code, output, errors } = await run(['migrate'], { DATABASE_URL: database.url })
  expect([code, errors]).toEqual([0, ''])
  const { host } = new URL(database.url)
  expect(output).toBe(
    `the database at ${host}: applied ${Object.keys(migrations).toSorted().join(', ')}\n`,
  )
})

test('a failing command ends with code 1 and the reason', async () => {
  const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none' }
  const errors = 'replay needs a time, e.g. 2026-11-21T12:00:00Z\n'
  expect(await run(['replay', 'yesterday'], env)).toEqual({ code: 1, output: '', errors })
})

test('an unknown command ends with code 2 and the known ones', async () => {
  const errors = 'unknown command "migrat": use one of migrate, replay, or none to serve\n'
  expect(await run(['migrat'], {})).toEqual({ code: 2, output: '', errors })
})
