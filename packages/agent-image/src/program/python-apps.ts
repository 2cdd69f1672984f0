import { posix } from 'node:path'

/** An object in the sources that a web server serves. */
export interface PythonApp {
  /** The file, by its path in the project. */
  readonly file: string
  /** How to serve it, as `command` in astroai.yml has it. */
  readonly command: string
  /** Whether the file itself starts a server. */
  readonly runs: boolean
}

const FRAMEWORKS = 'FastAPI|Starlette|Litestar|Quart|Flask|FastHTML|Sanic'
const APP = new RegExp(`^(\\w+)\\s*(?::\\s*[\\w.]+\\s*)?=\\s*(?:\\w+\\.)?(${FRAMEWORKS})\\(`, 'm')
/** Calls that serve, and files that say what to do when they are started. */
const RUNS = /\b(run|serve|run_app|serve_forever|main|run_server|launch)\(|__main__/
const WSGI: ReadonlySet<string> = new Set(['Flask'])

/**
 * Finds the object of a web framework in a file of the project. A file of a package is imported by
 * the package's name.
 */
export function findApp(file: string, text: string, inPackage = false): PythonApp | undefined {
  const [, name, framework = ''] = APP.exec(text) ?? []
  if (name === undefined) return undefined
  const own = posix.dirname(file)
  const folder = inPackage ? posix.dirname(own) : own
  const module = posix.relative(folder, file).slice(0, -'.py'.length).replaceAll('/', '.')
  const object = `${module}:${name}`
  const isWsgi = WSGI.has(framework)
  const option = folder === '.' ? '' : `${isWsgi ? '--chdir' : '--app-dir'} ${folder} `
  const command = isWsgi
    ? `gunicorn ${option}${object} --bind 0.0.0.0:$PORT`
    : `uvicorn ${option}${object} --host 0.0.0.0 --port $PORT`
  return { file, command, runs: RUNS.test(text) }
}

/** The lines that start an app, and where to write them. */
export function linesFor({ command }: PythonApp): string {
  const [server = ''] = command.split(' ', 1)
  return (
    `write to astroai.yml, next to build: command: ${command}, and port: 8080; and name ` +
    `${server} among the packages`
  )
}
