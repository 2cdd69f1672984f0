import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { withoutLogins } from '../logins.ts'
import { parentsOf } from './source-rules.ts'
import { fileEntry, hostTreeEntries, symlinkEntry, type Entry } from '../image/entries.ts'

/** Where an environment was made, and where it will be. */
export interface EnvironmentPlaces {
  /** The staging folder, with the environment in `environment`. */
  readonly staging: string
  readonly environment: string
  /** The folder of the image that has what the staging folder has, without a leading slash. */
  readonly path: string
  /** The image's Python: its absolute path, and its version. */
  readonly interpreter: string
  readonly version: string
}

/** The files of a virtual environment in an image. */
export interface EnvironmentFiles {
  /** The environment and the packages of others. */
  readonly packages: readonly Entry[]
  /** Packages whose sources are in the project. They change with it. */
  readonly own: readonly Entry[]
  /** Identifies the content of `packages`. */
  readonly identity: readonly string[]
}

/** Caches, and what only this machine's Python or uv reads. */
const LEFT_OUT = new RegExp(
  '(^|/)__pycache__(/|$)|^bin/(python|activate|deactivate|pydoc)[^/]*$|^lib64$|^pyvenv\\.cfg$' +
    '|^(CACHEDIR\\.TAG|\\.gitignore|\\.lock)$|/_virtualenv\\.(py|pth)$' +
    '|\\.dist-info/uv_(cache|build)\\.json$',
)
/** Files that name the folder in which they were installed. */
const WITH_PATHS = /^bin\/|\.pth$|\.egg-link$|\/__editable__[^/]*$|\.dist-info\/direct_url\.json$/
/** What a package needs, perhaps from a repository with a login. */
const METADATA = /\.dist-info\/METADATA$/
const REQUIREMENT = /^Requires-Dist:.*$/gm

/**
 * Reads an environment that a package manager has made in a staging folder, as it will be in the
 * image: with the image's Python, and with the image's paths in scripts, in links to the sources,
 * and in the records of packages.
 */
export async function environmentFiles(places: EnvironmentPlaces): Promise<EnvironmentFiles> {
  const { staging, environment, path, interpreter, version } = places
  const [library = ''] = await readdir(join(staging, environment, 'lib'))
  const minor = version.split('.').slice(0, 2).join('.')
  const root = `${path}/${environment}`
  const site = `${root}/lib/python${minor}/site-packages`
  const inImage = (file: string): string =>
    file.startsWith(`lib/${library}/`)
      ? `lib/python${minor}/${file.slice(library.length + 5)}`
      : file

  const files = new Map<string, Entry>()
  const folder = join(staging, environment)
  for (const entry of await hostTreeEntries('', folder, (file) => !LEFT_OUT.test(file))) {
    const name = entry.path.slice(1)
    const place = name === '' ? root : `${root}/${inImage(name)}`
    files.set(place, { ...(await withImagePaths(entry, name, places)), path: place })
  }

  const own = new Set<string>()
  const listed = new Set<string>()
  const identity: string[] = []
  for (const record of [...files.keys()].filter((file) => file.endsWith('.dist-info/RECORD'))) {
    const entry = files.get(record)
    if (entry?.type !== 'file') continue
    const { text, names } = await correctRecord(await contentOf(entry), site, files)
    files.set(record, { ...entry, content: Buffer.from(text) })
    for (const name of names) listed.add(name)
    const url = files.get(record.replace(/RECORD$/, 'direct_url.json'))
    if (url?.type === 'file' && isOfProject(await contentOf(url), path))
      for (const name of names) own.add(name)
    else identity.push(`${record} ${createHash('sha256').update(text).digest('hex')}`)
  }

  const config =
    `home = ${posix.dirname(interpreter)}\nimplementation = CPython\n` +
    `include-system-site-packages = false\nversion = ${version}\n`
  const skeleton = [
    fileEntry(`${root}/pyvenv.cfg`, config),
    symlinkEntry(`${root}/lib64`, 'lib'),
    symlinkEntry(`${root}/bin/python`, interpreter),
    symlinkEntry(`${root}/bin/python3`, 'python'),
    symlinkEntry(`${root}/bin/python${minor}`, 'python'),
  ]
  const all = [...files.values()]
  const others = all.filter((entry) => entry.type !== 'directory' && !own.has(entry.path))
  for (const entry of others)
    if (!listed.has(entry.path)) identity.push(`${entry.path} ${await digestOf(entry)}`)
  // Without the folders that only packages of the project have: other projects share this layer.
  const folders = new Set([...own].flatMap((path) => parentsOf(path)))
  const kept = [...others.map(({ path }) => path), `${site}/*`]
  for (const path of kept) for (const parent of parentsOf(path)) folders.delete(parent)
  return {
    packages: [...skeleton, ...all.filter(({ path }) => !own.has(path) && !folders.has(path))],
    own: all.filter((entry) => own.has(entry.path)),
    identity: [config, ...identity.toSorted()],
  }
}

async function withImagePaths(
  entry: Entry,
  name: string,
  { staging, path }: EnvironmentPlaces,
): Promise<Entry> {
  const isMetadata = METADATA.test(name)
  if (entry.type !== 'file' || !(isMetadata || WITH_PATHS.test(name))) return entry
  const bytes = await bytesOf(entry)
  const text = bytes.toString('latin1')
  // Every byte has a letter in latin1, so programs stay as they are.
  const moved = text.replaceAll(Buffer.from(staging).toString('latin1'), `/${path}`)
  const isAddress = name.endsWith('/direct_url.json')
  const changed = isMetadata
    ? text.replace(REQUIREMENT, withoutLogins)
    : isAddress
      ? withoutLogins(moved)
      : moved
  return changed === text ? entry : { ...entry, content: Buffer.from(changed, 'latin1') }
}

async function digestOf(entry: Entry): Promise<string> {
  const bytes = entry.type === 'file' ? await bytesOf(entry) : JSON.stringify(entry)
  return createHash('sha256').update(bytes).digest('hex')
}

/** Whether direct_url.json names a folder of the project. */
function isOfProject(url: string, path: string): boolean {
  const { url: place = '', dir_info: folder } = JSON.parse(url) as {
    url?: string
    dir_info?: object
  }
  const way = decodeURIComponent(place.replace(/^file:\/\//, ''))
  return folder !== undefined && (way === `/${path}` || way.startsWith(`/${path}/`))
}

/** Returns a package's RECORD with the hashes of changed files, and without those left out. */
async function correctRecord(
  record: string,
  site: string,
  files: ReadonlyMap<string, Entry>,
): Promise<{ text: string; names: string[] }> {
  const lines: string[] = []
  const names: string[] = []
  for (const line of record.split(/\r?\n/)) {
    const [, quoted, hash] = /^(.*),([^,]*),[^,]*$/.exec(line) ?? []
    if (quoted === undefined) continue
    const name = quoted.startsWith('"') ? quoted.slice(1, -1).replaceAll('""', '"') : quoted
    const place = posix.normalize(posix.join(site, name))
    const entry = files.get(place)
    if (entry === undefined) continue
    names.push(place)
    if (hash === '' || entry.type !== 'file' || !Buffer.isBuffer(entry.content)) lines.push(line)
    else {
      const digest = createHash('sha256').update(entry.content).digest('base64url')
      lines.push(`${quoted},sha256=${digest},${entry.content.byteLength}`)
    }
  }
  return { text: lines.map((line) => `${line}\n`).join(''), names }
}

async function bytesOf(entry: Entry & { readonly type: 'file' }): Promise<Buffer> {
  return Buffer.isBuffer(entry.content) ? entry.content : await readFile(entry.content.file)
}

async function contentOf(entry: Entry & { readonly type: 'file' }): Promise<string> {
  return (await bytesOf(entry)).toString()
}
