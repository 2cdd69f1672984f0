import { join, resolve } from 'node:path'
import { readManifest } from './manifest.ts'
import { findServers, SERVER_FILES } from './node-servers.ts'
import { scriptStart, type ScriptStart } from './node-start.ts'

/** An agent's package.json: its programs, and whether it lists its files. */
export interface Application {
  folder: string
  /** The programs by name; `agent` is the one that builds start by default. */
  programs: Record<string, string>
  /** What names the program: a field of package.json, or astroai.yml. */
  namedBy: 'bin' | 'main' | 'scripts.start' | 'command'
  /** How the script `start` starts the agent, if that decides. `$PORT` there is `port`. */
  script: ((port: number | undefined) => ScriptStart | undefined) | undefined
  hasFiles: boolean
}

/** For what doesn't depend on the port. */
export const ANY_PORT = 1
/** The folder of the application in an image. */
export const APPLICATION_PATH = 'app'
/** The folder of a workspace in an image. The agent's folder there is /app, too. */
export const WORKSPACE_PATH = 'workspace'

/**
 * Reads an agent's package.json. Its programs are those in `bin`; without it, the agent is the file
 * in `main`, or what the script `start` starts. Throws if there is neither, unless `hasCommand`:
 * astroai.yml says what starts.
 */
export async function readApplication(
  directory: string,
  { hasCommand = false } = {},
): Promise<Application> {
  const folder = resolve(directory)
  const manifest = await readManifest(folder)
  const { bin, files, main, scripts } = manifest
  const hasFiles = files !== undefined
  const named = typeof bin === 'string' ? bin : main
  const programs = {
    ...(named !== undefined && { agent: named }),
    ...(typeof bin === 'object' && (bin as Record<string, string>)),
  }
  if (Object.keys(programs).length > 0)
    return { folder, programs, namedBy: bin ? 'bin' : 'main', script: undefined, hasFiles }
  if (hasCommand) return { folder, programs, namedBy: 'command', script: undefined, hasFiles }
  const started = scripts?.['start']
  if (started === undefined)
    throw new Error(
      `${join(folder, 'package.json')} doesn't say what to start; it needs "bin" (programs by ` +
        'name, as in {"agent": "src/main.ts"}) or "main", or the script "start", as in "node ' +
        `src/main.ts"; or write the command to astroai.yml; ` +
        suggestion(await findServers(folder)),
    )
  const script = (port: number | undefined): ScriptStart | undefined => scriptStart(manifest, port)
  try {
    const { file } = script(ANY_PORT) ?? {}
    const agent = file !== undefined && { agent: file === '.' ? 'index.js' : file }
    return { folder, programs: { ...agent }, namedBy: 'scripts.start', script, hasFiles }
  } catch (error) {
    throw new Error(
      `${join(folder, 'package.json')} starts what an image can't: ${(error as Error).message}; ` +
        `or write "main", or the command to astroai.yml; ${suggestion(await findServers(folder))}`,
      { cause: error },
    )
  }
}

/** What to write, by the servers in the code. */
function suggestion(servers: readonly string[]): string {
  const port = 'and its port to astroai.yml, below agent: port: 8080'
  const [server, ...others] = servers
  if (server === undefined) return `no server was found in ${SERVER_FILES}`
  return others.length === 0
    ? `${server} starts a server: write "main": "${server}" to package.json, ${port}`
    : `${servers.join(', ')} start servers: write the right one as "main" to package.json, ${port}`
}
