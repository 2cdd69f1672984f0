import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Layer } from '../image/oci.ts'
import { requirePathOfArchive } from '../inside.ts'
import { managerEnvironment } from '../program/uv.ts'
import { runProgram } from '../run-program.ts'
import { readLayer } from './layer-files.ts'
import type { PythonStartModules } from './python-start-modules.ts'

/**
 * Follows the imports at the top level of modules, which always run: not those in functions, after
 * `if`, and in `try` with `except`. Runs no code of the project. A package named as its native
 * module, such as cv2, loads it.
 */
const FOLLOW = `
import ast, json, os, sys
given = json.load(sys.stdin.buffer)
root, suspects = given['root'], set(given['suspects'])
start = [root + each for each in given['searchPath']]
native = {}
for each in suspects:
    folder, name = os.path.split(os.path.join(root, each))
    native.setdefault(os.path.join(folder, name.split('.')[0]), each)
seen, loaded = set(), set()

def load(name):
    folders, module = start, ''
    for part in name.split('.'):
        module = module + '.' + part if module else part
        places = [os.path.join(folder, part) for folder in folders]
        codes = (code for each in places for code in (each + '/__init__.py', each + '.py'))
        code = next((each for each in codes if os.path.isfile(each)), '')
        package = os.path.dirname(code) if code.endswith('/__init__.py') else None
        loaded.update(native[each] for each in places if each in native)
        if package:
            visit(code, module, module)
            inner = os.path.join(package, part)
            if inner in native:
                loaded.add(native[inner])
        elif code:
            visit(code, module, module.rpartition('.')[0])
        folders = [package] if package else [each for each in places if os.path.isdir(each)]

def visit(file, name, package):
    if file in seen or loaded == suspects:
        return
    seen.add(file)
    try:
        with open(file, 'rb') as source:
            tree = ast.parse(source.read())
    except (SyntaxError, ValueError, OSError):
        return
    follow(tree.body, package)

def follow(statements, package):
    for each in statements:
        if isinstance(each, ast.Import):
            for alias in each.names:
                load(alias.name)
        elif isinstance(each, ast.ImportFrom):
            parts = package.split('.')
            above = '.'.join(parts[:len(parts) - each.level + 1]) if each.level else ''
            name = '.'.join(part for part in (above, each.module) if part)
            for alias in each.names:
                load(name + '.' + alias.name if name else alias.name)
        elif isinstance(each, (ast.With, ast.ClassDef)):
            follow(each.body, package)
        elif isinstance(each, ast.Try) and not each.handlers:
            follow(each.body, package)

sys.setrecursionlimit(10000)
for each in given['files']:
    visit(root + each, '__main__', '')
for each in given['modules']:
    load(each)
print(json.dumps(sorted(loaded)))
`

/** Returns the native modules among `suspects` that a start command certainly loads. */
export async function loadedByPython(
  suspects: readonly string[],
  start: PythonStartModules,
  layers: readonly Layer[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const root = await mkdtemp(join(tmpdir(), 'slipway-imports-'))
  try {
    const wanted = new Set(start.files.map((file) => file.slice(1)))
    for (const layer of layers)
      await readLayer(layer, async ({ path, type }, content) => {
        signal?.throwIfAborted()
        if (type !== 'file' || !(path.endsWith('.py') || wanted.has(path))) return
        requirePathOfArchive(path)
        const file = join(root, path)
        await mkdir(dirname(file), { recursive: true })
        await using to = await open(file, 'wx')
        for await (const chunk of content) await to.writeFile(chunk)
      })
    const found = await runProgram('python3', ['-I', '-c', FOLLOW], {
      input: JSON.stringify({ root, suspects, ...start }),
      environment: managerEnvironment(process.env),
      signal,
      missing: "can't run python3 to check what the agent imports",
    })
    return new Set(JSON.parse(found) as string[])
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
