import { posix } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import type { Layer } from '../image/oci.ts'
import { NAMES_OF } from '../program/python-names.ts'
import { managerEnvironment } from '../program/uv.ts'
import { firstNames } from '../progress.ts'
import { runProgram } from '../run-program.ts'
import type { ImageTree } from './image-tree.ts'
import { readLayer } from './layer-files.ts'
import { locateModule, type PythonStartModules } from './python-start-modules.ts'

/** An object that a start command names, and where its module is. */
export interface NamedObject {
  /** As the command has it: `app.api` or `main.py`. */
  readonly module: string
  readonly name: string
  /** The absolute path of the module's file. */
  readonly file: string
}

/**
 * Returns the object that a start command names, if a file of its module is known. A module of a
 * package is one of its names, too.
 */
export function namedObject(
  { object: name, modules, files, searchPath }: PythonStartModules,
  tree: ImageTree,
): NamedObject | undefined {
  if (name === undefined) return undefined
  const module = files[0] === undefined ? modules.at(-1) : undefined
  if (module !== undefined && locateModule(`${module}.${name}`, searchPath, tree).file)
    return undefined
  const file = module === undefined ? files[0] : locateModule(module, searchPath, tree).file
  const place = file === undefined ? undefined : tree.resolve(file)
  return place && { module: module ?? posix.basename(place.path), name, file: `/${place.path}` }
}

/** What the source of a module says about a name. */
interface Finding {
  readonly isFound: boolean
  /** Whether the module may have names that its source doesn't show. */
  readonly isOpen: boolean
  readonly names: readonly string[]
}

const MOST_NAMES = 5
/** Larger modules are not read. */
const MOST_BYTES = 1 << 20

/** Says nothing about what this Python can't read: that of the image may be newer. */
const FIND_NAME = `${NAMES_OF}
import json, sys
try:
    names, is_open = names_of(sys.stdin.buffer.read())
except (SyntaxError, ValueError, RecursionError):
    sys.exit()
public = sorted(each for each in names if not each.startswith('_'))
print(json.dumps({'isFound': sys.argv[1] in names, 'isOpen': is_open, 'names': public}))
`

/**
 * Throws if a module of the application certainly lacks the object that a start command names, and
 * returns a warning if it seems to. Reads the source, and runs nothing of it.
 */
export async function objectWarnings(
  { module, name, file }: NamedObject,
  application: Layer,
  command: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const source = await bytesOf(file.slice(1), application)
  if (source === undefined) return []
  const found = await findName(name, source, signal)
  if (found === undefined || found.isFound) return []
  const has = found.names.length === 0 ? 'no names' : firstNames(found.names, MOST_NAMES)
  const problem =
    `${command} needs ${name} of ${module}, but ` + `${file} doesn't define it (it has ${has})`
  if (!found.isOpen) throw new Error(`${problem}; correct the name`)
  return [`warning: ${problem}, unless it is set while the module is imported`]
}

async function findName(
  name: string,
  source: Buffer,
  signal: AbortSignal | undefined,
): Promise<Finding | undefined> {
  const run = runProgram('python3', ['-I', '-c', FIND_NAME, name], {
    environment: managerEnvironment(process.env),
    input: source,
    signal,
    missing: 'no python3',
  })
  const output = await run.catch(() => {
    // A machine that only has uv has no other Python to read it with.
    signal?.throwIfAborted()
    return ''
  })
  return output === '' ? undefined : (JSON.parse(output) as Finding)
}

async function bytesOf(path: string, layer: Layer): Promise<Buffer | undefined> {
  let bytes: Buffer | undefined
  await readLayer(layer, async (header, content) => {
    if (header.path !== path || header.type !== 'file' || header.size > MOST_BYTES) return
    bytes = await buffer(Readable.from(content))
  })
  return bytes
}
