import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { daemonPid } from '../../process/daemon.ts'
import type { Stack } from '../../stack/stack.ts'
import { clusterPaths } from '../layout.ts'

// containerd, runc, kubelet and the CNI library keep files in places that are the same for every
// cluster on a machine and can't be configured. The node's processes therefore live in a mount
// namespace of their own, where these places are directories of the stack. Every mount that they
// make (overlays, volumes, network namespaces) is made there too, and is gone when the last of them
// is.
const machineDirectories = ['/run/containerd', '/run/netns', '/var/lib/cni', '/var/lib/kubelet']

/**
 * A command line that runs another one inside the node's mount namespace, which is made when nobody
 * lives in it.
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
  // Of a node that nobody has stopped and that is gone all the same (the machine was switched off).
  for (const stale of [machine, containerdState]) rmSync(stale, { recursive: true, force: true })
  const binds = machineDirectories.map((target) => {
    const source = join(machine, target)
    mkdirSync(source, { recursive: true })
    mkdirSync(target, { recursive: true })
    return `mount --bind '${source}' '${target}'`
  })
  // slave: the machine's later mounts are seen inside, none of the node's is seen outside.
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

/** The processes that hold this node's containers; they outlive containerd and kubelet. */
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
