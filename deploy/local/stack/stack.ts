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
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { StackSettings } from './settings.ts'

const stateMarker = 'README'

/** The account behind `sudo`, to whom everything but the cluster's own processes belongs. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

/**
 * One local stack: where it lives, what it was asked to run, and what its parts have told so far.
 */
export interface Stack {
  /** Root of the repository. */
  readonly checkout: string
  /**
   * What survives `down`: data, keys, volumes. `<checkout>/.slipway` unless SLIPWAY_STATE_DIR says
   * otherwise.
   */
  readonly stateDir: string
  /**
   * Process ids, logs, sockets: thrown away by `down`. Short, since a socket's path may have 107
   * characters.
   */
  readonly runDir: string
  /** Built tools and downloads, shared by all stacks of this user. */
  readonly cacheDir: string
  /** Parent of the pods' cgroups. Two kubelets under one root would kill each other's pods. */
  readonly cgroup: string
  /** Whether pods may reach beyond this machine. */
  readonly internet: boolean
  readonly settings: StackSettings
  /** Set under sudo: the caller. */
  readonly owner: Owner | undefined
  /** Environment that the parts contributed so far; `up` writes it to `<stateDir>/env`. */
  readonly env: Map<string, string>
}

/** The part of a stack that is known before any setting is: its directories. */
export type StackDirectories = Pick<
  Stack,
  'checkout' | 'stateDir' | 'runDir' | 'cacheDir' | 'cgroup' | 'owner'
>

/**
 * Finds the directories of the stack that belongs to this checkout, or to SLIPWAY_STATE_DIR.
 * Creates nothing.
 */
export function stackDirectories(env: NodeJS.ProcessEnv = process.env): StackDirectories {
  const checkout = resolve(import.meta.dirname, '../../..')
  const stateDir = resolve(env['SLIPWAY_STATE_DIR'] || join(checkout, '.slipway'))
  const id = createHash('sha256').update(stateDir).digest('hex').slice(0, 8)
  const cacheHome = env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache')
  return {
    checkout,
    stateDir,
    runDir: env['SLIPWAY_RUN_DIR'] || runDirectory(id),
    cacheDir: env['SLIPWAY_CACHE_DIR'] || join(cacheHome, 'slipway'),
    cgroup: `/slipway-${id}`,
    owner: callerBehindSudo(env),
  }
}

// Only root may write to /run; without a cluster of its own a stack needs no root at all.
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
 * Makes the stack's directories. Refuses ones that hold something else, since `down --purge`
 * deletes them.
 */
export function createDirectories(stack: StackDirectories): void {
  ensureDirectory(stack, stack.stateDir, 0o755)
  const marker = join(stack.stateDir, stateMarker)
  if (!existsSync(marker)) {
    if (readdirSync(stack.stateDir).length > 0)
      throw new Error(`${stack.stateDir} holds something that is not Slipway's`)
    writeFileSync(
      marker,
      'The state of a local Slipway stack; `./dev down --purge` deletes this directory.\n',
    )
  }
  // The image cache gets its directories from whoever is first: under sudo they must not be root's.
  for (const part of ['', 'images', 'images/blobs', 'images/layers'])
    ensureDirectory(stack, join(stack.cacheDir, part), 0o755)
  ensureDirectory(stack, stack.runDir, 0o755)
  const found = lstatSync(stack.runDir)
  const trusted = [0, process.getuid?.() ?? 0, stack.owner?.uid ?? 0]
  if (!found.isDirectory() || !trusted.includes(found.uid)) {
    throw new Error(
      `${stack.runDir} belongs to somebody else (uid ${found.uid}): remove it or set SLIPWAY_RUN_DIR`,
    )
  }
}

/** Deletes the state directory, if it is one. */
export function purgeState(stack: Pick<Stack, 'stateDir'>): void {
  if (existsSync(join(stack.stateDir, stateMarker)))
    rmSync(stack.stateDir, { recursive: true, force: true })
}

/** Makes a directory with its parents; under sudo what is new belongs to the caller. */
export function ensureDirectory(stack: Pick<Stack, 'owner'>, path: string, mode = 0o700): void {
  const first = mkdirSync(path, { recursive: true, mode })
  if (!first || !stack.owner) return
  for (let made = path; made.length >= first.length; made = resolve(made, '..')) {
    chownSync(made, stack.owner.uid, stack.owner.gid)
  }
}
