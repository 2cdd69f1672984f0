import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A network namespace with nothing but a loopback interface. */
export interface NetworkNamespace {
  /** Returns the command line that runs a command in the namespace. */
  enter(command: readonly string[]): string[]
  /** Releases the namespace; it disappears when its last process has ended. */
  close(): Promise<void>
}

/**
 * Creates a network namespace, which a child process keeps open. Unlike `ip netns` it leaves
 * nothing in /run.
 */
export async function makeNetworkNamespace(): Promise<NetworkNamespace> {
  // A separate session: Ctrl-C must not end the namespace before its stack is down.
  const holder = spawn(
    'unshare',
    ['--net', '--', 'sh', '-c', 'ip link set lo up && echo up && exec cat'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    },
  )
  const failed = once(holder, 'close').then(() =>
    Promise.reject(new Error("can't create a network namespace")),
  )
  await Promise.race([once(holder.stdout, 'data'), failed])
  failed.catch(() => undefined)
  return {
    enter: (command) => ['nsenter', `--net=/proc/${holder.pid}/ns/net`, '--', ...command],
    close: async () => await closeHolder(holder),
  }
}

async function closeHolder(holder: ChildProcess): Promise<void> {
  if (holder.exitCode !== null || holder.signalCode !== null) return
  const closed = once(holder, 'close')
  // `cat` ends with its input.
  holder.stdin?.end()
  await closed
}
