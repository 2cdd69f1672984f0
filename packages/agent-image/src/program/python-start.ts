import { commandWords } from './command-words.ts'
import type { AskedStart } from './program.ts'
import { linesFor, type PythonApp } from './python-apps.ts'
import { scriptsOf, type PyProject } from './python-project.ts'

/** How a Python program starts, and what says so. */
export interface PythonStart {
  readonly entrypoint: string[]
  readonly reason: string
  /** A file of the sources that is started. */
  readonly file?: string
  /** The script of an installed package that is started. */
  readonly script?: string
  /** Why the program may end at once. */
  readonly warning?: string
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
  /** Objects in the sources that a web server may serve. */
  readonly apps: readonly PythonApp[]
}

/**
 * Finds how a program starts: the command of the spec, a file with its name (for the agent also
 * main.py and app.py), a script of pyproject.toml, or `web` in the Procfile. Throws what was looked
 * for if there is none.
 */
export function findStart(
  target: string,
  sources: PythonSources,
  { command, port }: AskedStart = {},
): PythonStart {
  if (command !== undefined)
    return { entrypoint: [...command], reason: 'astroai.yml has it as command' }
  const { has, pyproject, procfile, bin, apps } = sources
  const isAgent = target === 'agent'
  const candidates = [`${target}.py`, ...(isAgent ? ['main.py', 'app.py'] : [])]
  const file = candidates.flatMap((name) => [name, `src/${name}`]).find(has)
  const web = isAgent ? /^web:\s*(.+)$/m.exec(procfile ?? '')?.[1]?.trim() : undefined
  const idle = apps.find((app) => app.file === file && !app.runs)
  // A file that only defines an app would end at once.
  if (file !== undefined && (idle === undefined || web === undefined)) {
    const start = { entrypoint: ['python3', file], file, reason: `the folder has ${file}` }
    if (idle === undefined) return start
    return { ...start, warning: `${file} has an app, but starts no server: ${linesFor(idle)}` }
  }
  const names = [...scriptsOf(pyproject).keys()]
  const own = pyproject.project?.name ?? pyproject.tool?.poetry?.name
  const named = names.find((name) => name === target)
  const script =
    named ?? (isAgent ? (names.find((name) => name === own) ?? only(names)) : undefined)
  if (script !== undefined && idle === undefined) {
    const reason =
      script === target
        ? `[project.scripts] has ${script}`
        : `[project.scripts] has ${script}, ${script === own ? 'the name of the project' : 'only'}`
    return { entrypoint: [`${bin}/${script}`], script, reason }
  }
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
  { folder, apps, has }: PythonSources,
  candidates: readonly string[],
  scripts: readonly string[],
): string {
  const found = scripts.length === 0 ? '' : ` (it has ${scripts.join(', ')})`
  const looked =
    `${folder} has no program ${target}: it needs ${candidates.join(' or ')}, also in src, or ` +
    `a script ${target} in [project.scripts] of pyproject.toml${found}`
  if (target !== 'agent') return looked
  const [app, ...others] = apps
  if (app !== undefined)
    return (
      `${looked}, or web in a Procfile; to start the app in ${app.file}, ${linesFor(app)}` +
      (others.length > 0 ? `; there are also ${others.map(({ file }) => file).join(', ')}` : '')
    )
  const langgraph = has('langgraph.json')
    ? '; for langgraph.json, langgraph dockerfile Dockerfile writes a Dockerfile'
    : ''
  return (
    `${looked}, or web in a Procfile; to start it, write to pyproject.toml: ` +
    `agent = "my_package.main:main" below [project.scripts]${langgraph}`
  )
}
