import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { withFileLock } from '../process/file-lock.ts'
import { formatDuration } from '../progress.ts'
import { ensureDirectory } from '../stack/stack.ts'
import type { Owner, Stack } from '../stack/stack.ts'

/** The programs that are built from deploy/local/tools, in the order of a first run. */
export const TOOLS = ['pause', 'nats-server', 'registry', 'kubernetes', 'coredns'] as const

/** One of the programs that are built from deploy/local/tools. */
export type Tool = (typeof TOOLS)[number]

type BuildPlace = Pick<Stack, 'checkout' | 'cacheDir' | 'owner'>

interface ToolDescription {
  readonly title: string
  /** The Go module whose version is the tool's version. */
  readonly module?: string
  /** The names under which the binary is called. */
  readonly links?: readonly string[]
}

const descriptions: Readonly<Record<Tool, ToolDescription>> = {
  pause: { title: 'the pause container' },
  'nats-server': { title: 'the NATS server', module: 'github.com/nats-io/nats-server/v2' },
  registry: { title: 'the image registry', module: 'github.com/google/go-containerregistry' },
  coredns: { title: 'CoreDNS', module: 'github.com/coredns/coredns' },
  kubernetes: {
    title: 'Kubernetes',
    module: 'k8s.io/kubernetes',
    links: [
      'etcd',
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
      'kubelet',
      'kube-proxy',
      'kubectl',
    ],
  },
}

// Without debug information the stripped binaries have the same size, but the build cache is a
// quarter smaller.
const BUILD_FLAGS = ['-trimpath', '-buildvcs=false', '-mod=readonly', '-gcflags=all=-dwarf=false']

/**
 * Builds a tool unless it is in the user's cache. Returns the directory with its program and links.
 */
export async function buildTool(
  place: BuildPlace,
  tool: Tool,
  progress: (line: string) => void,
): Promise<string> {
  const source = join(place.checkout, 'deploy/local/tools', tool)
  const goMod = readFileSync(join(source, 'go.mod'), 'utf8')
  const version = moduleVersion(goMod, descriptions[tool].module)
  const flags = [...BUILD_FLAGS, `-ldflags=${linkerFlags(tool, version)}`]
  const go = await findGo(place, source)
  const bin = join(place.cacheDir, 'bin')
  const directory = join(
    bin,
    `${tool}-${sourceHash(readSources(source), [...flags, go.version, process.arch])}`,
  )
  if (existsSync(directory)) return directory

  ensureDirectory(place, bin, 0o755)
  const title = `${descriptions[tool].title}${version === undefined ? '' : ` ${version}`}`
  const waiting = () => progress(`waiting for another run to build ${title} or another tool`)
  // One build at a time: each uses all cores, and shared packages are compiled once.
  await withFileLock(join(bin, '.lock'), waiting, async () => {
    if (existsSync(directory)) return
    for (const left of readdirSync(bin).filter((name) => name.startsWith('.building-'))) {
      rmSync(join(bin, left), { recursive: true, force: true })
    }
    const temporary = join(bin, `.building-${tool}-${process.pid}`)
    mkdirSync(temporary)
    if (go.identity.uid !== undefined)
      chownSync(temporary, go.identity.uid, go.identity.gid ?? go.identity.uid)
    const args = ['build', '-v', ...flags, '-o', join(temporary, tool), mainPackage(goMod)]
    await runBuild(go, args, source, title, progress)
    for (const link of descriptions[tool].links ?? []) symlinkSync(tool, join(temporary, link))
    renameSync(temporary, directory)
  })
  return directory
}

/** Returns the version of a module that a go.mod requires; undefined without a module. */
export function moduleVersion(goMod: string, module: string | undefined): string | undefined {
  if (module === undefined) return undefined
  const line = goMod
    .split('\n')
    .find((each) => each.replace('require', '').trim().startsWith(`${module} v`))
  const version = line?.replace('require', '').trim().split(/\s+/)[1]
  if (version === undefined) throw new Error(`go.mod does not require ${module}`)
  return version
}

/** Returns linker flags: no symbol tables, and the version that the Kubernetes programs report. */
export function linkerFlags(tool: Tool, version: string | undefined): string {
  if (tool !== 'kubernetes' || version === undefined) return '-s -w'
  const [major, minor] = version.replace('v', '').split('.')
  const component = 'k8s.io/component-base/version'
  const values = {
    [`${component}.gitVersion`]: version,
    [`${component}.gitMajor`]: major,
    [`${component}.gitMinor`]: minor,
    [`${component}.gitTreeState`]: 'clean',
    'k8s.io/client-go/pkg/version.gitVersion': version,
  }
  return ['-s -w', ...Object.entries(values).map(([name, value]) => `-X ${name}=${value}`)].join(
    ' ',
  )
}

/** Returns the package to build: that of the `tool` directive, or the module's root. */
export function mainPackage(goMod: string): string {
  return /^tool (\S+)$/m.exec(goMod)?.[1] ?? '.'
}

/** Returns a name for a build's result: a hash of its sources and settings. */
export function sourceHash(
  sources: Readonly<Record<string, string>>,
  settings: readonly string[],
): string {
  const hash = createHash('sha256')
  for (const name of Object.keys(sources).toSorted())
    hash.update(JSON.stringify([name, sources[name]]))
  return hash.update(JSON.stringify(settings)).digest('hex').slice(0, 12)
}

function readSources(directory: string): Record<string, string> {
  const files = readdirSync(directory).filter((name) => /^go\.(mod|sum)$|\.go$/.test(name))
  return Object.fromEntries(
    files.map((name) => [name, readFileSync(join(directory, name), 'utf8')]),
  )
}

interface Go {
  readonly command: string
  readonly version: string
  readonly env: NodeJS.ProcessEnv
  readonly identity: Partial<Owner>
}

async function findGo(place: BuildPlace, source: string): Promise<Go> {
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

async function runBuild(
  go: Go,
  args: string[],
  source: string,
  title: string,
  progress: (line: string) => void,
) {
  const start = performance.now()
  let compiled = 0
  const report = () => {
    const elapsed = formatDuration(performance.now() - start)
    const packages = compiled > 0 ? `, ${compiled} packages compiled` : ''
    progress(`building ${title}, first run only: ${elapsed}${packages}`)
  }
  report()
  const timer = setInterval(report, 3000)
  try {
    const { code, output } = await runGo(go, args, source, (line) => {
      if (/^[\w.-]+(\/[\w.-]+)*$/.test(line)) compiled += 1
    })
    if (code !== 0) throw new Error(`can't build ${title}:\n${output}`)
  } finally {
    clearInterval(timer)
  }
}

/** Runs go and returns the last lines that it prints. */
async function runGo(go: Go, args: string[], cwd: string, onLine: (line: string) => void) {
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
