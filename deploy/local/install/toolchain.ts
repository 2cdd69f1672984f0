import { createHash } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { withFileLock } from '../process/file-lock.ts'
import { formatDuration } from '../progress.ts'
import { ensureDirectory } from '../stack/stack.ts'
import { findGo, runGo } from './go.ts'
import type { BuildPlace, Go } from './go.ts'
import { tools } from './tools.ts'
import type { Tool, ToolDescription } from './tools.ts'

// Omitting debug information doesn't change the size of the stripped binaries, but makes the build
// cache a quarter smaller.
const BUILD_FLAGS = ['-trimpath', '-buildvcs=false', '-mod=readonly', '-gcflags=all=-dwarf=false']

/**
 * Builds a tool unless it is in the user's cache. Returns the directory with its program and links.
 */
export async function buildTool(
  place: BuildPlace,
  tool: Tool,
  progress: (line: string) => void,
): Promise<string> {
  const description: ToolDescription = tools[tool]
  const source = join(place.checkout, 'deploy/local/tools', description.folder ?? tool)
  const goMod = readFileSync(join(source, 'go.mod'), 'utf8')
  const version = moduleVersion(goMod, description.module)
  const flags = [
    ...BUILD_FLAGS,
    ...(description.tags === undefined ? [] : [`-tags=${description.tags}`]),
    `-ldflags=${linkerFlags(description, version)}`,
    ...(description.package === undefined ? [] : [description.package]),
  ]
  const go = await findGo(place, source, progress)
  const bin = join(place.cacheDir, 'bin')
  const directory = join(
    bin,
    `${tool}-${sourceHash(readSources(source), [...flags, go.version, process.arch])}`,
  )
  if (existsSync(directory)) return directory

  ensureDirectory(place, bin, 0o755)
  const title = `${description.title}${version === undefined ? '' : ` ${version}`}`
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
    const built = description.package === undefined ? [mainPackage(goMod)] : []
    const args = ['build', '-v', '-o', join(temporary, tool), ...flags, ...built]
    await runBuild(go, args, source, title, progress)
    for (const link of description.links ?? []) symlinkSync(tool, join(temporary, link))
    renameSync(temporary, directory)
  })
  return directory
}

/** Returns the version of a module that a go.mod requires; undefined if no module is given. */
export function moduleVersion(goMod: string, module: string | undefined): string | undefined {
  if (module === undefined) return undefined
  const line = goMod
    .split('\n')
    .find((each) => each.replace('require', '').trim().startsWith(`${module} v`))
  const version = line?.replace('require', '').trim().split(/\s+/)[1]
  if (version === undefined) throw new Error(`go.mod does not require ${module}`)
  return version
}

/** Returns linker flags: no symbol tables, and the version that the program reports. */
export function linkerFlags(
  { versionVariables }: Pick<ToolDescription, 'versionVariables'>,
  version: string | undefined,
): string {
  const values = version === undefined ? {} : (versionVariables?.(version) ?? {})
  return ['-s -w', ...Object.entries(values).map(([name, value]) => `-X ${name}=${value}`)].join(
    ' ',
  )
}

/** Returns the package to build: that of the `tool` directive, or the module's root. */
export function mainPackage(goMod: string): string {
  return /^tool (\S+)$/m.exec(goMod)?.[1] ?? '.'
}

/** Returns the name of a build's output: a hash of its sources and settings. */
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
