import { commandWords } from './command-words.ts'
import type { AskedStart } from './program.ts'
import { scriptsOf, type PyProject } from './python-project.ts'

/** How a Python program starts, and what says so. */
export interface PythonStart {
  readonly entrypoint: string[]
  readonly reason: string
  /** A file of the sources that is started. */
  readonly file?: string
  /** The script of an installed package that is started. */
  readonly script?: string
}

/** What the start of a Python program is looked for in. */
export interface PythonSources {
  readonly folder: string
  /** Whether the agent's folder has a file, although a rule may leave it out. */
  readonly has: (name: string) => boolean
  readonly pyproject: PyProject
  /** The text of the Procfile, if there is one. */
  readonly procfile: string | undefined
  /** The environment's folder for programs, as an absolute path in the image. */
  readonly bin: string
  /** Objects in the sources that a web server may serve, as `main:app`. */
  readonly apps: readonly string[]
}

/**
 * Finds how a program starts: the command of the spec, a file with its name (for the agent also main.py and app.py), a
 * script of pyproject.toml, or `web` in the Procfile. Throws what was looked for if there is none.
 */
export function findStart(
  target: string,
  sources: PythonSources,
  { command, port }: AskedStart = {},
): PythonStart {
  if (command !== undefined)
    return { entrypoint: [...command], reason: 'astroai.yml has it as command' }
  const { has, pyproject, procfile, bin } = sources
  const isAgent = target === 'agent'
  const candidates = [`${target}.py`, ...(isAgent ? ['main.py', 'app.py'] : [])]
  const file = candidates.flatMap((name) => [name, `src/${name}`]).find(has)
  if (file !== undefined)
    return { entrypoint: ['python3', file], file, reason: `the folder has ${file}` }
  const names = [...scriptsOf(pyproject).keys()]
  const own = pyproject.project?.name ?? pyproject.tool?.poetry?.name
  const named = names.find((name) => name === target)
  const script =
    named ?? (isAgent ? (names.find((name) => name === own) ?? only(names)) : undefined)
  if (script !== undefined) {
    const reason =
      script === target
        ? `[project.scripts] has ${script}`
        : `[project.scripts] has ${script}, ${script === own ? 'the name of the project' : 'only'}`
    return { entrypoint: [`${bin}/${script}`], script, reason }
  }
  const web = isAgent ? /^web:\s*(.+)$/m.exec(procfile ?? '')?.[1]?.trim() : undefined
  if (web !== undefined) {
    const entrypoint = commandWords(web, 'web in the Procfile', port)
    return { entrypoint, reason: 'the Procfile has web' }
  }
  throw new Error(notFound(target, sources, candidates, names))
}

function only(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined
}

function notFound(
  target: string,
  { folder, apps }: PythonSources,
  candidates: readonly string[],
  scripts: readonly string[],
): string {
  const found = scripts.length === 0 ? '' : ` (it has ${scripts.join(', ')})`
  const looked =
    `${folder} has no program ${target}: it needs ${candidates.join(' or ')}, also in src, or ` +
    `a script ${target} in [project.scripts] of pyproject.toml${found}`
  if (target !== 'agent') return looked
  const [app = ''] = apps
  const line =
    app === ''
      ? 'agent = "my_package.main:main" below [project.scripts]'
      : `web: uvicorn ${app} --host 0.0.0.0 --port 8080`
  const place = app === '' ? 'pyproject.toml' : 'the Procfile'
  return `${looked}, or web in a Procfile; to start it, write to ${place}: ${line}`
}
