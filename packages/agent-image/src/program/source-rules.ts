import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import dockerIgnore from '@balena/dockerignore'
import { runGit } from '../run-git.ts'

/** Why a file or folder of an agent, by its path there, is not in an image. */
export type LeavesOut = (path: string) => string | undefined

/** The rule of files with the names or the content of credentials. */
export const SECRET_RULE = 'it may hold a secret'
/** Git keeps logins for its remotes there, and all earlier versions of each file. */
export const HISTORY_RULE = 'it has all earlier versions of files'
/** The rule of packages that list their files. */
export const NPM_RULE = 'npm pack leaves it out'
/** The rule of what `git add` would not add. */
export const GIT_RULE = 'git ignores it'
/** The rule of what .dockerignore names. */
export const DOCKER_RULE = '.dockerignore names it'

/** Folders that hold installed packages or caches, by their names. */
const NOT_SOURCES: ReadonlySet<string> = new Set([
  'node_modules',
  '__pycache__',
  '.venv',
  '.cache',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.tox',
  '.nox',
  '.idea',
  '.vscode',
  '.DS_Store',
  '.yarn',
  '.pnpm-store',
])
const NUMBERS: Readonly<Record<string, number>> = {
  [SECRET_RULE]: 1,
  [HISTORY_RULE]: 1,
  [NPM_RULE]: 2,
  [GIT_RULE]: 4,
  [DOCKER_RULE]: 5,
}
/** The number of the rule that names folders of installed packages and caches. */
const INSTALLED_NUMBER = 3

const MOST_BYTES = 256 << 20

/**
 * Returns the rules for a whole folder: no installed packages and caches; no files that git
 * ignores, if git has the folder; and no files that .dockerignore names. `started` are the files
 * that containers start, which a build has made if git ignores them: their folders are taken.
 */
export async function folderRules(
  folder: string,
  started: readonly string[],
  signal?: AbortSignal,
  isMade?: (path: string) => boolean,
): Promise<LeavesOut> {
  const rules = [
    installed(folder),
    await gitRule(folder, started, signal),
    await dockerRule(folder, isMade),
  ]
  return (path) =>
    rules
      .values()
      .map((rule) => rule(path))
      .find((reason) => reason !== undefined)
}

function installed(folder: string): LeavesOut {
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (NOT_SOURCES.has(name)) return `it is a folder named ${name}`
    return existsSync(join(folder, path, 'pyvenv.cfg')) ? 'it is a virtual environment' : undefined
  }
}

async function gitRule(
  folder: string,
  started: readonly string[],
  signal: AbortSignal | undefined,
): Promise<LeavesOut> {
  const wanted = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const listed = ((await runGit(folder, wanted, { maxBuffer: MOST_BYTES, signal })) ?? '')
    .split('\0')
    .filter((path) => path !== '')
  if (listed.length === 0) return () => undefined
  const known = new Set<string>()
  // Other repositories are listed as folders.
  const whole = new Set([
    ...listed.map((path) => path.replace(/\/$/, '')),
    ...started.filter((path) => path.includes('/')).map((path) => path.split('/', 1)[0] ?? ''),
    ...started,
  ])
  for (const path of whole) for (const parent of parentsOf(path)) known.add(parent)
  return (path) => {
    const isKnown = known.has(path) || [path, ...parentsOf(path)].some((each) => whole.has(each))
    return isKnown ? undefined : GIT_RULE
  }
}

/**
 * Returns the rule of a folder's .dockerignore. It concerns what a build gets, as in docker: not
 * what a build in the folder has made, which `isMade` knows.
 */
export async function dockerRule(
  folder: string,
  isMade: (path: string) => boolean = () => false,
): Promise<LeavesOut> {
  const text = await readFile(join(folder, '.dockerignore'), 'utf8').catch(() => undefined)
  if (text === undefined) return () => undefined
  // The types have the function in `default`, and so has the function itself.
  const ignore = dockerIgnore.default({ ignorecase: false }).add(text.replace(/^\uFEFF/, ''))
  return (path) => (ignore.ignores(path) && !isMade(path) ? DOCKER_RULE : undefined)
}

/** The number that the README gives to a rule. */
export function ruleNumber(reason: string): number {
  return NUMBERS[reason] ?? INSTALLED_NUMBER
}

/** The folders that a path is in, the outermost first. */
export function parentsOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
