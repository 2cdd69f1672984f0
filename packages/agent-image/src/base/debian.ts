import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import {
  debianComponent,
  LIST_PACKAGES,
  parsePackages,
  STATUS_PATH,
  type DebianPackage,
} from './debian-packages.ts'
import { directoryEntry, fileEntry, type Entry } from '../image/entries.ts'
import type { LayerCache } from '../image/layer-cache.ts'
import { hostPlatform, type Layer } from '../image/oci.ts'
import type { Progress } from '../progress.ts'
import type { Component } from '../sbom.ts'
import { readTar } from '../image/tar.ts'

/** Increase it if the selection of files changes, so that cached layers are not reused. */
const RECIPE = 3

/** Files that no service reads, or whose content depends on the build machine. */
const LEFT_OUT = [
  /^dev\//,
  /^etc\/(hostname|resolv\.conf|fstab)$/,
  /^etc\/apt(\/|$)/,
  /^usr\/share\/(man|info|locale|i18n|lintian|bug|bash-completion)\//,
  // Keep licenses, drop the rest of the documentation.
  /^usr\/share\/doc\/.+\/(?!copyright$)[^/]+$/,
  /^usr\/lib\/[^/]+\/gconv\//,
  // A package manager has no use in an image that never changes.
  /^usr\/bin\/(apt|dpkg)/,
  /^var\/(cache|log)\/.+/,
  /^var\/lib\/(apt\/.+|dpkg\/(?!status$).+)/,
]

interface DebianSource {
  suite: string
  mirrors: string[]
}

/**
 * Returns where packages come from: the machine's own apt sources on Debian, otherwise the public
 * mirror of a stable release.
 */
function debianSource(): DebianSource {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  const codename = /^VERSION_CODENAME="?([a-z]+)"?$/m.exec(release)?.[1]
  if (!codename || !/^ID="?debian"?$/m.test(release)) return { suite: 'bookworm', mirrors: [] }
  const lists = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list']
  const mirrors = lists.filter(
    (file) => existsSync(file) && /^\s*(deb\s|URIs:)/m.test(readFileSync(file, 'utf8')),
  )
  return { suite: codename, mirrors }
}

async function extractPackages(
  packages: readonly string[],
  source: DebianSource,
  signal: AbortSignal | undefined,
): Promise<Entry[]> {
  const bootstrap = [
    'mmdebstrap',
    '--mode=root',
    '--variant=extract',
    '--format=tar',
    `--include=${packages.join(',')}`,
    `--extract-hook=${LIST_PACKAGES}`,
    ...(source.mirrors.length > 0 ? ['', '-', ...source.mirrors] : [source.suite, '-']),
  ]
  // mmdebstrap needs root to unpack files with their owners.
  const [command = '', ...args] =
    process.getuid?.() === 0 ? bootstrap : ['sudo', '-n', ...bootstrap]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], signal })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_000)
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', (cause) => {
      const message = `can't run ${command}; install the Debian package ${command}`
      reject(signal?.aborted === true ? signal.reason : new Error(message, { cause }))
    })
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`mmdebstrap failed for ${packages.join(' ')}:\n${errors.trim()}`))
    })
  })
  const [read] = await Promise.allSettled([
    readTar(child.stdout, (path) => !LEFT_OUT.some((pattern) => pattern.test(path))),
    ended,
  ])
  signal?.throwIfAborted()
  // A failed bootstrap also breaks the tar, so report the bootstrap's error first.
  await ended
  if (read.status === 'rejected') throw read.reason
  return read.value
}

/** Adds what maintainer scripts would have created: users and the CA certificate bundle. */
function completeRootFileSystem(entries: readonly Entry[]): Entry[] {
  const certificates = entries
    .filter(
      (entry) => entry.type === 'file' && /^usr\/share\/ca-certificates\/.+\.crt$/.test(entry.path),
    )
    .map((entry) =>
      entry.type === 'file' && Buffer.isBuffer(entry.content) ? entry.content.toString('utf8') : '',
    )
  const additions = [
    fileEntry(
      'etc/passwd',
      'root:x:0:0:root:/root:/usr/sbin/nologin\napp:x:1000:1000:app:/home/app:/usr/sbin/nologin\n',
    ),
    fileEntry('etc/group', 'root:x:0:\napp:x:1000:\n'),
    fileEntry('etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n'),
    directoryEntry('home/app', { uid: 1000, gid: 1000 }),
  ]
  if (certificates.length > 0) {
    additions.push(fileEntry('etc/ssl/certs/ca-certificates.crt', certificates.toSorted().join('')))
  }
  const added = new Set(additions.map((entry) => entry.path))
  return [...entries.filter((entry) => !added.has(entry.path)), ...additions]
}

/** A layer of Debian packages, and the packages with their versions. */
export interface DebianLayer {
  readonly layer: Layer
  readonly components: readonly Component[]
}

/**
 * Returns a layer with these Debian packages and their dependencies, unpacked but not configured:
 * maintainer scripts don't run. The layer is identified by the packages' versions, which the first
 * build chooses; delete the cache to get Debian's updates.
 */
export async function debianLayer(
  cache: LayerCache,
  packages: readonly string[],
  progress: Progress,
  signal?: AbortSignal,
): Promise<DebianLayer> {
  const source = debianSource()
  const { suite } = source
  const platform = hostPlatform()
  const wanted = { kind: 'debian', recipe: RECIPE, suite, packages: packages.toSorted(), platform }
  const recipeOf = (versions: readonly DebianPackage[]) => ({ ...wanted, packages: versions })
  const describe = (layer: Layer, versions: readonly DebianPackage[]): DebianLayer => ({
    layer,
    components: versions.map((each) => debianComponent(each, suite)),
  })

  const chosen = await cache.recall<readonly DebianPackage[]>(wanted)
  const known = chosen && (await cache.findRecipe(recipeOf(chosen)))
  if (known) return describe(known, chosen)

  progress(`unpacking Debian packages ${packages.join(' ')}`)
  const entries = completeRootFileSystem(await extractPackages(packages, source, signal))
  const versions = parsePackages(contentOf(entries, STATUS_PATH))
  if (versions.length === 0) throw new Error('mmdebstrap reported no packages')
  const layer = await cache.layerOfRecipe(recipeOf(versions), async () => entries)
  await cache.note(wanted, versions)
  return describe(layer, versions)
}

function contentOf(entries: readonly Entry[], path: string): string {
  const entry = entries.find((each) => each.path === path)
  return entry?.type === 'file' && Buffer.isBuffer(entry.content) ? entry.content.toString() : ''
}
