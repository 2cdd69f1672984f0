import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the mount points of cgroups: one for version 2, one per controller for version 1. */
export function cgroupMounts(mounts: string): string[] {
  return mounts
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , type]) => type === 'cgroup' || type === 'cgroup2')
    .map(([, path]) => path ?? '')
}

/** Returns the directories of a cgroup in all hierarchies, whether they exist or not. */
export function cgroupDirectories(cgroup: string): string[] {
  return cgroupMounts(readFileSync('/proc/mounts', 'utf8')).map((mount) => join(mount, cgroup))
}

/** Creates the parent cgroup of the pods. */
export function ensureCgroup(cgroup: string): void {
  for (const directory of cgroupDirectories(cgroup)) {
    const parent = join(directory, '..')
    delegateControllers(parent)
    mkdirSync(directory, { recursive: true })
    delegateControllers(directory)
    // Version 1: a new cpuset has no CPUs, and accepts no process until CPUs are assigned.
    for (const file of ['cpuset.cpus', 'cpuset.mems']) {
      if (!existsSync(join(directory, file)) || existsSync(join(directory, 'cgroup.controllers')))
        continue
      if (read(join(directory, file)) === '')
        writeFileSync(join(directory, file), read(join(parent, file)))
    }
  }
}

/** Returns the ids of the processes in a cgroup and its descendants. */
export function cgroupProcesses(cgroup: string): number[] {
  const found = cgroupDirectories(cgroup).flatMap((directory) =>
    subtree(directory).flatMap((each) =>
      read(join(each, 'cgroup.procs')).split('\n').filter(Boolean).map(Number),
    ),
  )
  return [...new Set(found)].filter((pid) => pid > 0)
}

/**
 * Removes a cgroup and its descendants, except those that still have a process. The kubelet may
 * remove them at the same time.
 */
export function removeCgroup(cgroup: string): void {
  for (const directory of cgroupDirectories(cgroup)) {
    for (const each of subtree(directory).toReversed()) {
      try {
        rmdirSync(each)
      } catch (error) {
        if (!['EBUSY', 'ENOENT'].includes(codeOf(error))) throw error
      }
    }
  }
}

// Version 2: a controller works in a cgroup only if the parent delegates it.
function delegateControllers(directory: string): void {
  const available = read(join(directory, 'cgroup.controllers')).split(' ').filter(Boolean)
  for (const controller of ['cpu', 'cpuset', 'io', 'memory', 'pids']) {
    if (!available.includes(controller)) continue
    writeFileSync(join(directory, 'cgroup.subtree_control'), `+${controller}`)
  }
}

function subtree(directory: string): string[] {
  const children = entriesOf(directory)?.filter((entry) => entry.isDirectory())
  if (children === undefined) return []
  return [directory, ...children.flatMap((child) => subtree(join(directory, child.name)))]
}

/** The entries of a directory; undefined if it does not exist. */
function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}
