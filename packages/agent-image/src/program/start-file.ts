import { parentsOf } from './source-rules.ts'
import type { SourceTree } from './source-tree.ts'

/** What Node.js adds to a name that is not a file. */
const NODE_ENDINGS = ['', '.js', '.json', '.node', '/index.js', '/package.json']

/**
 * Throws if a file that a container starts, by its path in the agent's folder, is not in the image.
 * `source` is what names the file.
 */
export function requireStartFile(
  { entries, leftOut }: SourceTree,
  path: string,
  file: string,
  source: string,
): void {
  const files = new Set(entries.map((entry) => entry.path))
  if (NODE_ENDINGS.some((ending) => files.has(`${path}/${file}${ending}`))) return
  const rules = [...parentsOf(file), file].map((place) => leftOut.get(place))
  const rule = rules.find((each) => each !== undefined)
  throw new Error(
    rule === undefined
      ? `${source} starts ${file}, which is not among the files of the image; build the project ` +
          `before, or correct ${source}`
      : `${source} starts ${file}, which is not in the image, because ${rule}`,
  )
}
