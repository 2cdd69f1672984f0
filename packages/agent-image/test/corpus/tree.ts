import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostTreeEntries } from '../../src/parts.ts'
import type { CorpusProject } from './corpus-project.ts'

/** What is compared of a tree: paths, with the content of a file or the target of a link. */
export type Tree = ReadonlyMap<string, string>

/** What installing makes, by language. Other tests see the rest of an image, its sources. */
const INSTALLED: Readonly<Record<CorpusProject['language'], RegExp>> = {
  node: /(^|\/)node_modules(\/|$)|^\.pnp\.|^\.yarn\/(cache|unplugged)(\/|$)/,
  python: /^\.venv(\/|$)/,
}

/** What may differ between an image and what a manager installs, with the reason. */
const MAY_DIFFER: readonly (readonly [path: RegExp, reason: string])[] = [
  [/(^|\/)node_modules\/\.modules\.yaml$/, 'pnpm notes times and the folder of its store'],
  [/(^|\/)node_modules\/\.pnpm-workspace-state[^/]*$/, 'pnpm notes times and settings'],
  [/(^|\/)node_modules\/\.yarn-integrity$/, 'Yarn 1 notes its version and flags for itself'],
  [/(^|\/)node_modules\/\.cache(\/|$)/, 'tools keep there what they can make again'],
  [
    /^\.venv\/(bin\/(python|[Aa]ctivate|deactivate|pydoc)[^/]*|pyvenv\.cfg|lib64)$/,
    'each tool has its own scripts of a shell, and images have their own Python',
  ],
  [/^\.venv\/(include(\/|$)|share$|CACHEDIR\.TAG$|\.gitignore$|\.lock$)/, 'marks of a cache'],
  [/(^|\/)_virtualenv\.(py|pth)$/, 'only tools that make environments need it'],
  [/(^|\/)__pycache__(\/|$)/, 'Python makes it'],
  [/\.dist-info\/(INSTALLER|REQUESTED|uv_cache\.json|uv_build\.json)$/, 'names the installer'],
]

/**
 * Files that each installer writes in its words: scripts, the list of files, and from where a
 * package is. Only their names are compared, unless uv is the manager. Those of compilers depend on
 * the Python that builds.
 */
const OF_COMPILER = /\.so$/
const OF_INFO = /\.dist-info\/(RECORD|direct_url\.json)$/
const OF_INSTALLER = /^\.venv\/bin\/|\.dist-info\/(RECORD|direct_url\.json)$/

/** Returns what installing has made in a folder: the root of a project. */
export async function installedTree(folder: string, project: CorpusProject): Promise<Tree> {
  const tree = new Map<string, string>()
  for (const entry of await hostTreeEntries('x', folder)) {
    const path = entry.path.slice(2)
    if (!isCompared(path, project)) continue
    if (entry.type !== 'file') tree.set(path, entry.type === 'symlink' ? `-> ${entry.target}` : '/')
    else if (isOfInstaller(path, project)) tree.set(path, entry.mode.toString(8))
    else if (!Buffer.isBuffer(entry.content))
      tree.set(path, described(await readFile(entry.content.file), entry.mode))
  }
  return tree
}

/** The paths in which two trees differ, with what each of them has. */
export function differences(image: Tree, manager: Tree): string[] {
  return [...new Set([...image.keys(), ...manager.keys()])]
    .filter((path) => image.get(path) !== manager.get(path))
    .toSorted()
    .map(
      (path) =>
        `${path}: ${image.get(path) ?? 'nothing'} in the image, ` +
        `${manager.get(path) ?? 'nothing'} of the manager`,
    )
}

function isCompared(path: string, { language, made, mayDiffer = [] }: CorpusProject): boolean {
  const isFree = [...MAY_DIFFER, ...mayDiffer].some(([at]) => at.test(path))
  return (INSTALLED[language].test(path) || made?.test(path) === true) && !isFree
}

function isOfInstaller(path: string, { language, manager, made }: CorpusProject): boolean {
  if (made?.test(path) === true && OF_COMPILER.test(path)) return true
  if (language !== 'python') return false
  const pattern = manager === 'uv' ? OF_INFO : OF_INSTALLER
  return pattern.test(path)
}

/** Images have one of two modes for files: what owners may execute, all may. */
function described(content: Buffer, mode: number): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return `${mode.toString(8)} ${hash}`
}
