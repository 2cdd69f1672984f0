import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { acceptsConnections, freePorts, waitFor, type IssuedCertificate } from '@slipway/testing'

/** A ClickHouse server in a separate process, which doesn't run before `start`. */
export interface ClickHouseProcess extends AsyncDisposable {
  readonly url: string
  /** The same with the credentials of a user that may only SELECT and INSERT. */
  readonly serviceUrl: string
  start(): Promise<void>
  /** Kills the process, as a crash would. */
  kill(): Promise<void>
  /** Stops the process: it accepts connections, but doesn't respond. */
  freeze(): void
  unfreeze(): void
}

/** Prepares a ClickHouse process on a free port; with a certificate for `localhost` by https. */
export async function prepareClickHouse(
  certificate?: IssuedCertificate,
): Promise<ClickHouseProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-clickhouse-'))
  const [port] = await freePorts(1)
  const url = certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`
  const files = certificate ? [certificate.chainFile, certificate.keyFile] : []
  let child: ChildProcess | undefined

  async function kill(): Promise<void> {
    if (child === undefined) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    child = undefined
    await exited
  }

  return {
    url,
    serviceUrl: url.replace('//', '//service:password@'),
    kill,
    async start() {
      const main = join(import.meta.dirname, 'clickhouse-http-main.ts')
      child = spawn(process.execPath, [main, join(directory, 'data'), String(port), ...files], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      await waitFor(() => acceptsConnections(Number(port)), {
        what: 'ClickHouse to accept connections',
      })
    },
    freeze: () => void child?.kill('SIGSTOP'),
    unfreeze: () => void child?.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
