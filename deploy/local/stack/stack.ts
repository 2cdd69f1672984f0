import { createHash } from 'node:crypto'
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { cacheHome } from '@slipway/agent-image/user-folders'
import type { StackSettings } from './settings.ts'

const STATE_MARKER = 'README'

/**
 * The user who called `sudo`. Everything except the cluster's processes belongs to this account.
 */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** One local stack: its directories, its settings and the environment of its parts so far. */
export interface Stack {
  /** Root of the repository. */
  readonly checkout: string
  /** Data, keys and volumes, kept by `down`: SLIPWAY_STATE_DIR or `<checkout>/.slipway`. */
  readonly stateDir: string
  /**
   * Process ids, logs and sockets, deleted by `down`. The path must be short, because a socket's
   * path has at most 107 characters.
   */
  readonly runDir: string
  /** Built programs and downloads, shared by all stacks of a user. */
  readonly cacheDir: string
  /** The parent of the pods' cgroups. Two kubelets with the same one kill each other's pods. */
  readonly cgroup: string
  /** Whether pods may reach other machines. */
  readonly internet: boolean
  readonly settings: StackSettings
  /** Set under sudo: the caller. */
  readonly owner: Owner | undefined
  /** Variables from the parts that are up; `up` writes them to `<stateDir>/env`. */
  readonly env: Map<string, string>
}

/** The fields of a stack that don't depend on its settings. */
export type StackDirectories = Pick<
  Stack,
  'checkout' | 'stateDir' | 'runDir' | 'cacheDir' | 'cgroup' | 'owner'
>

/** Returns the directories of this checkout's stack, or of SLIPWAY_STATE_DIR; creates nothing. */
export function stackDirectories(env: NodeJS.ProcessEnv = process.env): StackDirectories {
  const checkout = resolve(import.meta.dirname, '../../..')
  const stateDir = resolve(env['SLIPWAY_STATE_DIR'] || join(checkout, '.slipway'))
  const id = createHash('sha256').update(stateDir).digest('hex').slice(0, 8)
  return {
    checkout,
    stateDir,
    runDir: env['SLIPWAY_RUN_DIR'] || runDirectory(id),
    cacheDir: env['SLIPWAY_CACHE_DIR'] || join(cacheHome(env), 'slipway'),
    cgroup: `/slipway-${id}`,
    owner: callerBehindSudo(env),
  }
}

// Only root may write to /run, and a stack on another cluster runs without root.
function runDirectory(id: string): string {
  const preferred = `/run/slipway-${id}`
  const fallback = `/tmp/slipway-${id}`
  if (existsSync(preferred)) return preferred
  if (existsSync(fallback)) return fallback
  return process.getuid?.() === 0 ? preferred : fallback
}

function callerBehindSudo(env: NodeJS.ProcessEnv): Owner | undefined {
  const uid = Number(env['SUDO_UID'])
  const gid = Number(env['SUDO_GID'])
  if (process.getuid?.() !== 0 || !Number.isInteger(uid) || !Number.isInteger(gid) || uid <= 0)
    return undefined
  return { uid, gid }
}

/**
 * Creates the stack's directories. Throws if the state directory has other content, which `down
 * --purge` would delete.
 */
export function createDirectories(stack: StackDirectories): void {
  ensureDirectory(stack, stack.stateDir, 0o755)
  const marker = join(stack.stateDir, STATE_MARKER)
  if (!existsSync(marker)) {
    if (readdirSync(stack.stateDir).length > 0)
      throw new Error(
        `${stack.stateDir} is not empty and is not the state directory of a Slipway stack`,
      )
    writeFileSync(
      marker,
      'The state of a local Slipway stack. `./dev down --purge` deletes this directory.\n',
    )
  }
  // Created here because the image cache creates them as root under sudo.
  for (const part of ['', 'images', 'images/blobs', 'images/layers'])
    ensureDirectory(stack, join(stack.cacheDir, part), 0o755)
  ensureDirectory(stack, stack.runDir, 0o755)
  const found = lstatSync(stack.runDir)
  const trusted = [0, process.getuid?.() ?? 0, stack.owner?.uid ?? 0]
  if (!found.isDirectory() || !trusted.includes(found.uid)) {
    throw new Error(
      `${stack.runDir} belongs to another user (uid ${found.uid}); ` +
        'remove it or set SLIPWAY_RUN_DIR to another directory',
    )
  }
}

/** Deletes the state directory if it is marked as one. */
export function purgeState(stack: Pick<Stack, 'stateDir'>): void {
  if (existsSync(join(stack.stateDir, STATE_MARKER)))
    rmSync(stack.stateDir, { recursive: true, force: true })
}

/** Creates a directory and its parents; under sudo, new ones belong to the caller. */
export function ensureDirectory(stack: Pick<Stack, 'owner'>, path: string, mode = 0o700): void {
  const first = mkdirSync(path, { recursive: true, mode })
  if (!first || !stack.owner) return
  for (let made = path; made.length >= first.length; made = resolve(made, '..')) {
    chownSync(made, stack.owner.uid, stack.owner.gid)
  }
}
