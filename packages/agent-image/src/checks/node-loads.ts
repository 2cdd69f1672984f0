import { posix } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Layer } from '../image/oci.ts'
import { readLayer } from './layer-files.ts'

/** Imports at the start of a line, which always run. */
const IMPORT = new RegExp(
  [
    String.raw`^(?:import\b[^'"\n;]*`,
    String.raw`\}\s*from\s*`,
    String.raw`export\b[^'"\n;]*\bfrom\s*`,
    String.raw`(?:const|let|var)\b[^'"\n;]*=\s*require\(\s*)['"]([^'"\n]+)['"]`,
  ].join('|'),
  'gm',
)
const SOURCE = /\.[cm]?[jt]s$/
const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '/index.js', '/index.ts']

/**
 * Returns the native modules among `suspects` whose packages a program certainly imports: in its
 * file, or in files of the project that it imports.
 */
export async function loadedByNode(
  suspects: readonly string[],
  file: string,
  application: Layer,
): Promise<ReadonlySet<string>> {
  const sources = new Map<string, string>()
  await readLayer(application, async ({ path, type }, content) => {
    if (type === 'file' && SOURCE.test(path) && !path.includes('node_modules/'))
      sources.set(`/${path}`, await text(content))
  })
  const packages = new Set<string>()
  const seen = new Set<string>()
  const todo = [file]
  for (let each = todo.pop(); each !== undefined; each = todo.pop()) {
    const source = sources.get(each)
    if (source === undefined || seen.has(each)) continue
    seen.add(each)
    for (const [, name = ''] of source.matchAll(IMPORT))
      if (name.startsWith('.')) {
        const plain = posix.join(posix.dirname(each), name)
        // TypeScript's sources may name the file that they become.
        const names = [plain, plain.replace(/\.js$/, '.ts')]
        todo.push(...names.flatMap((begin) => ENDINGS.map((ending) => `${begin}${ending}`)))
      } else packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
  }
  const packageOf = (path: string): string =>
    /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? ''
  return new Set(suspects.filter((path) => packages.has(packageOf(path))))
}
