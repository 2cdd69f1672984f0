import { readAgentFile } from '../agent-file.ts'
import { readApplication } from './application.ts'
import { portIn } from './found-port.ts'
import { findServers } from './node-servers.ts'
import { readPyProject, scriptsOf } from './python-project.ts'
import { pythonSources } from './python-sources.ts'
import { startSources } from './python-start-sources.ts'
import { findStart, type PythonSources, type PythonStart } from './python-start.ts'

/** What to write to a spec about the start of a project. */
export interface SuggestedStart {
  /** Why the program starts like that; undefined if nothing was found. */
  readonly found?: string
  /** Undefined if the project says what starts. */
  readonly command?: string
  readonly port?: number
  /** What was looked for, and the lines to write. */
  readonly problem?: string
}

/** Suggests how the program of a Node.js package starts. */
export async function suggestNodeStart(folder: string): Promise<SuggestedStart> {
  const servers = await findServers(folder)
  try {
    const { programs, namedBy } = await readApplication(folder)
    const started = Object.values(programs)
    const port = await portOf(folder, [...started, ...servers])
    return { found: `${namedBy} of package.json starts ${started.join(', ')}`, ...port }
  } catch (error) {
    return { problem: (error as Error).message, ...(await portOf(folder, servers)) }
  }
}

/** Suggests how a Python program starts: as a build finds it, or with the app in its code. */
export async function suggestPythonStart(folder: string): Promise<SuggestedStart> {
  const sources = await pythonSources(folder, { progress: () => {} })
  const pyproject = await readPyProject(sources.find('pyproject.toml'))
  const seen = await startSources(sources, pyproject)
  const start = startOf(seen)
  const app = seen.apps.find(({ runs }) => !runs)
  const files = start instanceof Error ? [] : filesOf(start, seen)
  const serves = (await Promise.all(files.map((file) => textOf(folder, file)))).some((text) =>
    SERVES.test(text),
  )
  if (app !== undefined && !serves) {
    const isTraced = /opentelemetry-distro/.test(
      JSON.stringify(pyproject) + (await textOf(folder, 'requirements.txt')),
    )
    const command = `${isTraced ? 'opentelemetry-instrument ' : ''}${app.command}`
    return { found: `${app.file} has an app`, command }
  }
  if (start instanceof Error) return { problem: start.message }
  const places = [...files, ...seen.apps.map(({ file }) => file)]
  return { found: start.reason, ...(await portOf(folder, places)) }
}

/** Calls that serve. A script without one may be that of a new project, which only prints. */
const SERVES = /\b(?:run|serve|run_app|serve_forever|run_server|launch|exec[lv]p?e?)\(/

function startOf(seen: PythonSources): PythonStart | Error {
  try {
    return findStart('agent', seen, { port: 8080 })
  } catch (error) {
    return error as Error
  }
}

/** The files that a start may begin with. */
function filesOf({ file, script, reason }: PythonStart, { pyproject }: PythonSources): string[] {
  if (file !== undefined) return [file]
  if (script === undefined) return reason.includes('Procfile') ? ['Procfile'] : []
  const [module = ''] = (scriptsOf(pyproject).get(script) ?? '').split(':', 1)
  const path = module.replaceAll('.', '/')
  return ['', 'src/'].flatMap((at) => [`${at}${path}.py`, `${at}${path}/__init__.py`])
}

async function portOf(folder: string, files: readonly string[]): Promise<{ port?: number }> {
  for (const file of files) {
    const port = portIn(await textOf(folder, file))
    if (port !== undefined) return { port }
  }
  return {}
}

async function textOf(folder: string, file: string): Promise<string> {
  return (await readAgentFile(folder, file).catch(() => undefined)) ?? ''
}
