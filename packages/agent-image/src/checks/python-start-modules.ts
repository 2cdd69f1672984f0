import { posix } from 'node:path'
import { APPLICATION_PATH } from '../program/application.ts'
import type { StartCommand } from '../program/program.ts'
import type { ImageTree } from './image-tree.ts'
import { servedApplication } from './served-application.ts'

/** What a start command has Python run or import, and where Python looks for it. */
export interface PythonStartModules {
  /** Names of modules. */
  readonly modules: readonly string[]
  /** Absolute paths of files. */
  readonly files: readonly string[]
  /** Absolute paths of folders, in Python's order. */
  readonly searchPath: readonly string[]
  /** What the module, or else the file, of the application must define. */
  readonly object?: string
}

/** Servers that import the application that an argument names, as `module:object`. */
const SERVERS: ReadonlySet<string> = new Set(
  'uvicorn gunicorn hypercorn granian daphne waitress-serve uwsgi flask'.split(' '),
)
const RUN_FILES: ReadonlySet<string> = new Set(['fastapi', 'streamlit', 'chainlit', 'langgraph'])
const PYTHON = /^python[\d.]*$/
/** Options of Python that come before `-m`, and those that take the next argument, too. */
const MODULE_OPTION = /^-[bBdEiIOPqRsSuvx]*m(.*)$/
const WITH_VALUE = /^-[bBdEiIOPqRsSuvx]*[WX]$/
const FOLDER_OPTION = /^--(?:app-dir|chdir)(?:=(.+))?$/

/**
 * The start of the server that the program of a command starts in turn, as in
 * `opentelemetry-instrument uvicorn app:app`. Undefined if it starts none that is known.
 */
export function launchedStart(start: StartCommand): StartCommand | undefined {
  const { entrypoint } = start
  const [program = '', ...args] = entrypoint
  const name = posix.basename(program)
  const module = PYTHON.test(name) ? moduleOfPython(args) : name
  if (module === undefined || isServer(module)) return undefined
  const at = entrypoint.findIndex((word, index) => {
    const launched = posix.basename(word)
    return index > 0 && (isServer(launched) || PYTHON.test(launched))
  })
  return at === -1 ? undefined : { ...start, entrypoint: entrypoint.slice(at) }
}

function isServer(name: string): boolean {
  return SERVERS.has(name) || RUN_FILES.has(name)
}

/** Reads a start command of Python. `program` is the file that it starts, without links. */
export function pythonStartModules(
  start: StartCommand,
  tree: ImageTree,
  python: string,
): PythonStartModules {
  const { entrypoint, workingDirectory = '/' } = start
  const inFolder = (path: string): string => posix.resolve(workingDirectory, path)
  const [program = '', ...args] = entrypoint
  const name = posix.basename(program)
  const isPython = PYTHON.test(name)
  const module = isPython ? moduleOfPython(args) : undefined
  const server = module ?? name
  const files = args.filter((each) => each.endsWith('.py')).map(inFolder)
  // The other programs that run files pass arguments on to them.
  const application =
    SERVERS.has(server) || server === 'fastapi' ? servedApplication(server, args) : undefined
  const folder = args.flatMap((each, index) => {
    const option = FOLDER_OPTION.exec(each)
    return option === null ? [] : [option[1] ?? args[index + 1] ?? '.']
  })
  const first = (isPython && module === undefined) || RUN_FILES.has(server) ? files.slice(0, 1) : []
  const firstFolders = first.map((each) => posix.dirname(each))
  return {
    modules: [module, application?.module].filter((each) => each !== undefined),
    ...(application?.object !== undefined && { object: application.object }),
    files: first,
    searchPath: [
      ...folder.map(inFolder),
      ...(firstFolders.length > 0 ? firstFolders : [workingDirectory]),
      ...libraryFolders(tree, start, python),
    ],
  }
}

/** The module that arguments of Python name, if they start one. */
function moduleOfPython([first, ...others]: readonly string[]): string | undefined {
  if (first === undefined || !first.startsWith('-') || first.startsWith('-c')) return undefined
  const [found, name] = MODULE_OPTION.exec(first) ?? []
  if (found !== undefined) return name || others[0]
  return moduleOfPython(WITH_VALUE.test(first) ? others.slice(1) : others)
}

/** The folders of the standard library and of installed packages, and what `.pth` files add. */
function libraryFolders(tree: ImageTree, { environment }: StartCommand, python: string): string[] {
  const version = /python(\d+\.\d+)$/.exec(python)?.[1] ?? '3'
  const prefix = posix.dirname(posix.dirname(`/${python}`))
  const own = environment?.['VIRTUAL_ENV']
  const library = `${prefix}/lib/python${version}`
  const ofPackages =
    own === undefined
      ? [`${library}/site-packages`, `/usr/local/lib/python${version}/dist-packages`]
      : [`${own}/lib/python${version}/site-packages`]
  const added = tree
    .texts(/\/site-packages\/[^/]+\.pth$/)
    .flatMap((text) => text.split('\n').map((line) => line.trim()))
    .filter((line) => line.startsWith('/'))
  const ofDebian = own === undefined ? [`${prefix}/lib/python3/dist-packages`] : []
  return [library, `${library}/lib-dynload`, ...ofPackages, ...ofDebian, ...added]
}

/** Throws if Python would not find a module that a start command names. */
export function requireModules(
  { modules, files, searchPath }: PythonStartModules,
  tree: ImageTree,
  command: string,
  leftOut: ReadonlyMap<string, string>,
): void {
  for (const file of files)
    if (tree.resolve(file) === undefined)
      throw new Error(`${command} starts ${file}, which the image doesn't have`)
  for (const module of modules) {
    const { missing } = locateModule(module, searchPath, tree)
    if (missing === undefined) continue
    const place = missing.replaceAll('.', '/')
    const rule = [`${place}.py`, place, `src/${place}.py`, `src/${place}`]
      .map((each) => leftOut.get(each))
      .find((each) => each !== undefined)
    throw new Error(
      `${command} needs the module ${module}, which neither the project nor its packages have` +
        (rule === undefined ? '' : `: it is left out, because ${rule}`) +
        (place.includes('/') || !isInSource(place, tree)
          ? '; correct the name, or add its package to the dependencies'
          : `; src/${place} is not installed: add a [build-system] to pyproject.toml, or a line ` +
            '"-e ." to requirements.txt'),
    )
  }
}

/** Whether the agent's folder has a module or package in `src`, where Python doesn't look. */
function isInSource(name: string, tree: ImageTree): boolean {
  const place = `/${APPLICATION_PATH}/src/${name}`
  return [place, `${place}.py`].some((each) => tree.resolve(each) !== undefined)
}

/** Where Python finds a module: its file, unless only a hook knows it; or what is missing. */
export function locateModule(
  module: string,
  searchPath: readonly string[],
  tree: ImageTree,
): { readonly file?: string; readonly missing?: string } {
  const parts = module.split('.')
  let folders = searchPath
  for (const [index, part] of parts.entries()) {
    const name = parts.slice(0, index + 1).join('.')
    // Hooks of editable packages find them where no folder of the search path has them.
    if (index === 0 && isMapped(part, tree)) return {}
    const places = folders.map((folder) => posix.join(folder, part))
    const isThere = (path: string): boolean => tree.resolve(path) !== undefined
    const fileOf = (place: string): string | undefined =>
      [`${place}/__init__.py`, `${place}.py`].find(isThere)
    const found = places.find((place) => fileOf(place) !== undefined || tree.hasModule(place))
    if (found === undefined) {
      // Folders without code are one package together.
      folders = places.filter(isThere)
      if (folders.length === 0) return { missing: name }
      continue
    }
    const file = fileOf(found)
    if (file === undefined) return {}
    if (index === parts.length - 1) return { file }
    if (file === `${found}.py`) return { missing: `${name}.${parts[index + 1]}` }
    folders = [found]
  }
  return {}
}

function isMapped(name: string, tree: ImageTree): boolean {
  return tree
    .texts(/\/site-packages\/_?_editable_[^/]*\.py$/)
    .some((text) => new RegExp(`['"]${name}['"]`).test(text))
}
