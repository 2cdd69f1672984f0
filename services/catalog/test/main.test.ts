import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import { childEnvironment } from '@slipway/testing'
import { expect, test } from 'vitest'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

test.each(['', 'migrate', 'replay'])(
  'an invalid configuration ends the process with code 2 and all problems, command %j',
  async (command) => {
    const env = {
      ...childEnvironment(),
      NATS_URL: 'nowhere',
      GRPC_ADDRESS: '9101',
      AUTH_ISSUERS: '[]',
    }
    const child = spawn(process.execPath, [MAIN, command], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [[code], output, errors] = await Promise.all([
      once(child, 'exit'),
      text(child.stdout),
      text(child.stderr),
    ])
    expect([code, output]).toEqual([2, ''])
    expect(errors.trim().split('\n')).toEqual([
      'the configuration is not valid:',
      '  GRPC_ADDRESS: must be host:port',
      expect.stringMatching(/^ {2}AUTH_ISSUERS: /),
      '  NATS_URL: must be nats:// or tls:// with a host',
      '  DATABASE_URL: is required',
    ])
  },
)

test('a failing command ends with code 1 and the reason', async () => {
  const env = {
    ...childEnvironment(),
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    AUTH_ISSUERS: ISSUERS,
  }
  const child = spawn(process.execPath, [MAIN, 'replay', 'yesterday'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [[code], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)])
  expect([code, errors]).toEqual([1, 'replay needs a time, e.g. 2026-11-21T12:00:00Z\n'])
})

const ISSUERS = JSON.stringify([{ issuer: 'https://issuer.example', realm: 'test', kind: 'user' }])
