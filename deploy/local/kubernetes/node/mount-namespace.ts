import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { daemonPid } from '../../process/daemon.ts'
import type { Stack } from '../../stack/stack.ts'
import { clusterPaths } from '../layout.ts'

// containerd, runc, kubelet and the CNI library use some directories that are the same for every
// cluster on a machine and can't be configured. The node's processes therefore run in a separate
// mount namespace, in which these directories belong to the stack. Their own mounts (overlays,
// volumes, network namespaces) are in that namespace too, and disappear with its last process.
const MACHINE_DIRECTORIES = ['/run/containerd', '/run/netns', '/var/lib/cni', '/var/lib/kubelet']

/**
 * Wraps a command line so that it runs inside the node's mount namespace, and creates the namespace
 * if no process of the node runs.
 */
export function inMountNamespace(
  stack: Pick<Stack, 'stateDir' | 'runDir'>,
  command: readonly string[],
): string[] {
  const inhabitant =
    daemonPid(stack, 'containerd') ?? daemonPid(stack, 'kubelet') ?? shimProcesses(stack)[0]
  if (inhabitant !== undefined)
    return ['nsenter', `--mount=/proc/${inhabitant}/ns/mnt`, '--', ...command]

  const { machine, containerdState } = clusterPaths(stack)
  // Left over if the machine was switched off while the node was running.
  for (const stale of [machine, containerdState]) rmSync(stale, { recursive: true, force: true })
  const binds = MACHINE_DIRECTORIES.map((target) => {
    const source = join(machine, target)
    mkdirSync(source, { recursive: true })
    mkdirSync(target, { recursive: true })
    return `mount --bind '${source}' '${target}'`
  })
  // slave: later mounts on the machine appear inside, but the node's mounts don't appear outside.
  return [
    'unshare',
    '--mount',
    '--propagation',
    'slave',
    '--',
    'sh',
    '-c',
    `${binds.join(' && ')} && exec "$@"`,
    'sh',
    ...command,
  ]
}

/** Returns the ids of the shims of this node's containers, which outlive containerd and kubelet. */
export function shimProcesses(stack: Pick<Stack, 'stateDir' | 'runDir'>): number[] {
  const socket = clusterPaths(stack).containerdSocket
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const words = commandLine(pid)
      return words[0]?.endsWith('containerd-shim-runc-v2') === true && words.includes(socket)
    })
}

function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
