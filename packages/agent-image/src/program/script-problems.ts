import { runProgram } from '../run-program.ts'
import { NAMES_OF } from './python-names.ts'
import { managerEnvironment } from './uv.ts'

/**
 * Ends with 1 if a module isn't found, and prints its names if it certainly lacks an object.
 * Imports none: modules may need the agent's settings.
 */
const FIND_OBJECT = `${NAMES_OF}
import sys

def find(name, path):
    specs = (finder.find_spec(name, path) for finder in sys.meta_path)
    return next((spec for spec in specs if spec), None)

name, path = '', None
for part in sys.argv[1].split('.'):
    name = f'{name}.{part}' if name else part
    spec = find(name, path)
    if not spec:
        sys.exit(1)
    path = spec.submodule_search_locations
# The script imports its object from the module, which also imports a module of a package.
is_module = sys.argv[2] and path and find(f'{name}.{sys.argv[2]}', path)
if sys.argv[2] and not is_module and str(spec.origin).endswith('.py'):
    try:
        with open(spec.origin, 'rb') as source:
            names, is_open = names_of(source.read())
    except (SyntaxError, ValueError, RecursionError):
        sys.exit()
    if not is_open and sys.argv[2] not in names:
        print(', '.join(sorted(each for each in names if not each.startswith('_'))) or 'no names')
`

/**
 * Finds the scripts whose modules or objects an environment doesn't have, and says what is missing.
 * `python` is its interpreter; a script is its name with its place, as `module:object`.
 */
export async function scriptProblems(
  python: string,
  scripts: Iterable<readonly [name: string, place: string]>,
  signal: AbortSignal | undefined,
): Promise<Record<string, string>> {
  const environment = managerEnvironment(process.env)
  const problems: Record<string, string> = {}
  for (const [name, place] of scripts) {
    const [, module = '', first = ''] = /^\s*([\w.]*)\s*(?::\s*(\w*))?/.exec(place) ?? []
    const options = { environment, signal, missing: `can't run ${python}` }
    try {
      const names = await runProgram(python, ['-I', '-c', FIND_OBJECT, module, first], options)
      if (names !== '')
        problems[name] = `${module} doesn't define ${first} (it has ${names.trim()})`
    } catch {
      signal?.throwIfAborted()
      problems[name] = `no package that is installed has the module ${module} of ${place}`
    }
  }
  return problems
}
