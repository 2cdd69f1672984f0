import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { childEnvironment, waitFor } from '@slipway/testing'
import { freePorts } from '@slipway/testing/free-ports'

const PROGRAM = resolve(import.meta.dirname, '../../deploy/local/identity-provider/main.ts')

/** The secret with which the gateway gets its own token. */
export const GATEWAY_SECRET = 'known to tests'

/** The development identity provider, in its own process. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string
  /** Makes it accept connections but not respond, until `thaw`. */
  freeze(): void
  thaw(): void
}

/** Starts the development identity provider on a free port. */
export async function testProvider(): Promise<TestProvider> {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-provider-'))
  const [port = 0] = await freePorts(1)
  const issuer = `http://127.0.0.1:${port}`
  const program: ChildProcess = spawn(process.execPath, [PROGRAM], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...childEnvironment(),
      ISSUER: issuer,
      KEYS_FILE: join(directory, 'keys.json'),
      SERVICE_SECRETS: JSON.stringify({ gateway: GATEWAY_SECRET }),
    },
  })
  const ended = once(program, 'exit')
  const responds = async () =>
    (await fetch(`${issuer}/.well-known/openid-configuration`)).status === 200
  await waitFor(responds, { what: 'the identity provider' })
  return {
    issuer,
    freeze: () => program.kill('SIGSTOP'),
    thaw: () => program.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      program.kill('SIGKILL')
      await ended
      await rm(directory, { recursive: true })
    },
  }
}
