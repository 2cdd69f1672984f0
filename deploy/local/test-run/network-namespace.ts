import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A network namespace with nothing but a loopback interface. */
export interface NetworkNamespace {
  /** The command line that runs another one inside. */
  enter(command: readonly string[]): string[]
  /** Gives the namespace up; it goes when the last process in it is gone. */
  close(): Promise<void>
}

/**
 * Makes a network namespace, kept by a process of ours. Nothing is mounted: `ip netns` would leave
 * traces below /run.
 */
export async function makeNetworkNamespace(): Promise<NetworkNamespace> {
  // A session of its own: Ctrl-C must not take the namespace away before the stack in it is down.
  const holder = spawn(
    'unshare',
    ['--net', '--', 'sh', '-c', 'ip link set lo up && echo up && exec cat'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    },
  )
  const failed = once(holder, 'close').then(() =>
    Promise.reject(new Error("can't make a network namespace")),
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
