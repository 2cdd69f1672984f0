import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { childEnvironment, freePorts, waitFor } from '@slipway/testing'

/** The program of the service. */
export const MAIN = join(import.meta.dirname, '../../src/main.ts')

/** An observability process, as in production. */
export interface ObservabilityProcess extends AsyncDisposable {
  readonly grpcAddress: string
  readonly ingestUrl: string
  readonly pid: number
  /** Kills the process, as a crash would. */
  kill(): Promise<void>
}

/** Starts the process on free ports, and waits until it is ready. */
export async function startProcess(
  env: Readonly<Record<string, string>>,
): Promise<ObservabilityProcess> {
  const [grpc, connect, ops, otlp] = await freePorts(4)
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...childEnvironment(),
      GRPC_ADDRESS: `127.0.0.1:${grpc}`,
      CONNECT_ADDRESS: `127.0.0.1:${connect}`,
      OPS_ADDRESS: `127.0.0.1:${ops}`,
      OTLP_ADDRESSES: `127.0.0.1:${otlp}`,
      LOG_LEVEL: 'silent',
      ...env,
    },
  })
  const exited = once(child, 'exit')
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    child.kill(signal)
    await exited
  }
  try {
    await waitFor(
      async () => {
        if (child.exitCode !== null) return true
        return (await fetch(`http://127.0.0.1:${ops}/readyz`)).ok
      },
      { what: 'observability to be ready' },
    )
    if (child.exitCode !== null) throw new Error(`observability exited with code ${child.exitCode}`)
  } catch (error) {
    await end('SIGKILL')
    throw error
  }
  return {
    grpcAddress: `127.0.0.1:${grpc}`,
    ingestUrl: `http://127.0.0.1:${otlp}/v1/traces`,
    pid: child.pid ?? 0,
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  }
}
