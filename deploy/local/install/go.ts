import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ensureDirectory } from '../stack/stack.ts'
import type { Owner, Stack } from '../stack/stack.ts'

/** Where sources are, and where downloads and results go. */
export type BuildPlace = Pick<Stack, 'checkout' | 'cacheDir' | 'owner'>

/** How to run the Go command. */
export interface Go {
  readonly command: string
  readonly version: string
  readonly env: NodeJS.ProcessEnv
  readonly identity: Partial<Owner>
}

/** Finds Go, in the version that the module in `source` needs; throws if there is none. */
export async function findGo(place: BuildPlace, source: string): Promise<Go> {
  const path = `${process.env['PATH'] ?? ''}:/usr/local/go/bin:/usr/lib/go/bin`
  const command = path.split(':').find((directory) => existsSync(join(directory, 'go')))
  const needed =
    'building the local cluster needs Go 1.21 or newer, which then downloads the exact version: ' +
    'https://go.dev/dl'
  if (command === undefined) throw new Error(`Go is not installed; ${needed}`)
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
  const go = { command: join(command, 'go'), env, identity, version: '' }
  const { code, output } = await runGo(go, ['env', 'GOVERSION'], source, () => undefined)
  const version = output.trim().split('\n').at(-1) ?? ''
  if (code !== 0 || !version.startsWith('go1.'))
    throw new Error(`${needed}\n${go.command} printed: ${output.trim()}`)
  return { ...go, version }
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
  go: Go,
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
