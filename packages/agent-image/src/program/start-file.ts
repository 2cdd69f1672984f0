import { parentsOf } from './source-rules.ts'

/** What Node.js adds to a name that is not a file. */
const NODE_ENDINGS = ['', '.js', '.json', '.node', '/index.js', '/package.json']

/** The paths of what an image has of a program, and what stays out. */
export interface ProgramFiles {
  readonly entries: readonly { readonly path: string }[]
  /** The rules that leave files or folders out, by their paths in the folder. */
  readonly leftOut: ReadonlyMap<string, string>
}

/** Whether Node.js finds a file by this name. */
export function isRequirable(files: ReadonlySet<string>, name: string): boolean {
  return NODE_ENDINGS.some((ending) => files.has(`${name}${ending}`))
}

/**
 * Throws if a file that a container starts, by its path in the agent's folder, is not in the image.
 * `source` is what names the file.
 */
export function requireStartFile(
  { entries, leftOut }: ProgramFiles,
  path: string,
  file: string,
  source: string,
): void {
  const files = new Set(entries.map((entry) => entry.path))
  if (isRequirable(files, `${path}/${file}`)) return
  const rules = [...parentsOf(file), file].map((place) => leftOut.get(place))
  const rule = rules.find((each) => each !== undefined)
  throw new Error(
    rule === undefined
      ? `${source} starts ${file}, which is not among the files of the image; build the project ` +
          `before, or correct ${source}`
      : `${source} starts ${file}, which is not in the image, because ${rule}`,
  )
}
