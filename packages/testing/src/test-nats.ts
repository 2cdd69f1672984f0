import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { acceptsConnections } from './accepts-connections.ts'
import { freePorts } from './free-ports.ts'
import { waitFor } from './wait-for.ts'

/** A separate nats-server with JetStream on disk. Stopped and removed when it is disposed of. */
export interface TestNats extends AsyncDisposable {
  /** Doesn't change when the server restarts. */
  readonly url: string
  /** Stops the server; `kill` simulates a crash. */
  stop(options?: { kill?: boolean }): Promise<void>
  /** Starts it again on the same port; `wipe` deletes its data first. */
  start(options?: { wipe?: boolean }): Promise<void>
  /** `stop` and `start`. */
  restart(options?: { kill?: boolean; wipe?: boolean }): Promise<void>
}

/**
 * Starts the nats-server of NATS_SERVER_BIN on a free port of the loopback address. `config` is its
 * configuration file.
 */
export async function testNats({ config = '' } = {}): Promise<TestNats> {
  const binary = process.env['NATS_SERVER_BIN']
  if (!binary)
    throw new Error(
      'NATS_SERVER_BIN is not set: run tests with `./dev test`, which builds nats-server',
    )
  const directory = await mkdtemp(join(tmpdir(), 'slipway-nats-'))
  const [port = 0] = await freePorts(1)
  const configFile = join(directory, 'nats.conf')
  await writeFile(configFile, config)
  let server: ChildProcess | undefined
  const start = async (options: { wipe?: boolean } = {}): Promise<void> => {
    if (options.wipe) await rm(join(directory, 'store'), { recursive: true, force: true })
    const args = ['-c', configFile, '-a', '127.0.0.1', '-p', String(port)]
    const storage = ['-js', '-sd', join(directory, 'store')]
    server = spawn(binary, [...args, ...storage], { stdio: 'ignore' })
    const started = server
    if (started.pid === undefined) throw new Error(`${binary} could not be started`)
    const isUp = async () => started.exitCode !== null || (await acceptsConnections(port))
    await waitFor(isUp, { what: 'nats-server to accept connections' })
    if (started.exitCode !== null)
      throw new Error(`nats-server exited with code ${started.exitCode}`)
  }
  const stop = async (options: { kill?: boolean } = {}): Promise<void> => {
    if (!server) return
    const exited =
      server.exitCode === null && server.signalCode === null ? once(server, 'exit') : undefined
    server.kill(options.kill ? 'SIGKILL' : 'SIGTERM')
    await exited
    server = undefined
  }

  await start()
  return {
    url: `nats://127.0.0.1:${port}`,
    start,
    stop,
    async restart(options = {}) {
      await stop(options)
      await start(options)
    },
    async [Symbol.asyncDispose]() {
      await stop({ kill: true })
      await rm(directory, { recursive: true, force: true })
    },
  }
}
