/** The application that a command of a server names. */
export interface ServedApplication {
  /** Its module; undefined if the command names a file. */
  readonly module?: string
  /** What the module or file must define; undefined if the server looks for it. */
  readonly object?: string
}

const NAME = String.raw`[A-Za-z_]\w*`
const MODULE = new RegExp(String.raw`^${NAME}(?:\.${NAME})*$`)
/** A module with an object, or what a factory of it returns. */
const APPLICATION = new RegExp(
  String.raw`^(${NAME}(?:\.${NAME})*):(${NAME})(?:\.${NAME})*(?:\(.*\))?$`,
)
/** What servers take if only a module is named, as in `gunicorn mysite.wsgi`. */
const DEFAULT_OBJECT: ReadonlyMap<string, string> = new Map([
  ['gunicorn', 'application'],
  ['hypercorn', 'app'],
  ['granian', 'app'],
])

/** Options whose values look like an application: `python:conf`, `unix:app.sock`, `Via:proxy`. */
const WITH_VALUE: ReadonlySet<string> = new Set(
  '-c --config -b --bind --header -k --worker-class --loop --http --ws'.split(' '),
)

/** Reads which application the arguments of a server name. */
export function servedApplication(
  server: string,
  args: readonly string[],
): ServedApplication | undefined {
  if (server === 'fastapi') {
    const object = optionOf(args, ['--app'])
    return object === undefined ? applicationOf(optionOf(args, ['--entrypoint', '-e'])) : { object }
  }
  if (server === 'flask') {
    const option = optionOf(args, ['--app', '-A'])
      ?.replace(/\.py(?=:|$)/, '')
      .replaceAll('/', '.')
    const isModule = option !== undefined && MODULE.test(option)
    return isModule ? { module: option } : applicationOf(option)
  }
  const named = args
    .filter((_, index) => !WITH_VALUE.has(args[index - 1] ?? ''))
    .map(applicationOf)
    .find((each) => each !== undefined)
  if (named !== undefined) return named
  const object = DEFAULT_OBJECT.get(server)
  // An argument between others may be the value of an option.
  const bare = [args[0], args.at(-2)?.startsWith('-') === true ? undefined : args.at(-1)]
  const module = bare.find((each) => each !== undefined && MODULE.test(each))
  return object === undefined || module === undefined ? undefined : { module, object }
}

function applicationOf(text: string | undefined): ServedApplication | undefined {
  const [, module, object] = APPLICATION.exec(text ?? '') ?? []
  return module === undefined || object === undefined ? undefined : { module, object }
}

/** The value of an option, by its names. */
function optionOf(args: readonly string[], names: readonly string[]): string | undefined {
  for (const [index, each] of args.entries())
    for (const name of names) {
      if (each === name) return args[index + 1]
      if (each.startsWith(`${name}=`)) return each.slice(name.length + 1)
    }
  return undefined
}
