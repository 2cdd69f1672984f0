import { join, resolve } from 'node:path'
import { readManifest } from './manifest.ts'
import { findServers, SERVER_FILES } from './node-servers.ts'

/** An agent's package.json: its programs, and whether it lists its files. */
export interface Application {
  folder: string
  /** The programs by name; `agent` is the one that builds start by default. */
  programs: Record<string, string>
  /** What names the program: a field of package.json. */
  namedBy: 'bin' | 'main' | 'scripts.start'
  hasFiles: boolean
}

/** The folder of the application in an image. */
export const APPLICATION_PATH = 'app'
/** The folder of a workspace in an image. The agent's folder there is /app, too. */
export const WORKSPACE_PATH = 'workspace'

/**
 * Reads an agent's package.json. Its programs are those in `bin`; without it, the agent is the file
 * in `main`, or the one that `node` runs in the script `start`.
 */
export async function readApplication(directory: string): Promise<Application> {
  const folder = resolve(directory)
  const { bin, files, main, scripts } = await readManifest(folder)
  const started = /^node (?:--\S+ )*([^\s-]\S*)$/.exec(scripts?.['start'] ?? '')?.[1]
  const agent = typeof bin === 'string' ? bin : (main ?? started)
  const programs = {
    ...(agent !== undefined && { agent }),
    ...(typeof bin === 'object' && (bin as Record<string, string>)),
  }
  if (Object.keys(programs).length === 0) {
    const start =
      scripts?.['start'] === undefined ? '' : `, not ${JSON.stringify(scripts['start'])}`
    throw new Error(
      `${join(folder, 'package.json')} doesn't say what to start; it needs "bin" (programs by ` +
        'name, as in {"agent": "src/main.ts"}) or "main", or the script "start" that runs a file ' +
        `with node${start}; ${suggestion(await findServers(folder))}`,
    )
  }
  const namedBy = bin !== undefined ? 'bin' : main !== undefined ? 'main' : 'scripts.start'
  return { folder, programs, namedBy, hasFiles: files !== undefined }
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
