import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../../../docs/guide/frameworks')

/** A page of the guide that shows how an agent sends traces with one framework. */
export interface GuidePage {
  /** Also of the sender in `test/recordings/make/senders`. */
  readonly name: string
  readonly runtime: 'python' | 'node'
  /** A whole agent, which a reader can copy. */
  readonly program: string
  /** Variables that the reader sets. */
  readonly settings: Readonly<Record<string, string>>
  /** What the reader installs, with versions. */
  readonly packages: Readonly<Record<string, string>>
  /** Changes when the program or the settings do. */
  readonly sha256: string
}

/** Reads the pages of the guide about frameworks, in the order of their names. */
export function readGuidePages(): GuidePage[] {
  return globSync('*.md', { cwd: FOLDER })
    .filter((file) => file !== 'README.md')
    .toSorted()
    .map((file) => parsePage(basename(file, '.md'), readFileSync(join(FOLDER, file), 'utf8')))
}

/** Finds the only blocks of code of their languages in a page. Throws if there is no program. */
function parsePage(name: string, text: string): GuidePage {
  const blocks = new Map(
    [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => [
      language,
      code,
    ]),
  )
  const runtime = blocks.has('python') ? 'python' : 'node'
  const program = blocks.get(runtime === 'python' ? 'python' : 'ts')
  if (program === undefined) throw new Error(`docs/guide/frameworks/${name}.md has no program`)
  const settings = blocks.get('ini') ?? ''
  return {
    name,
    runtime,
    program,
    settings: pairs(settings, /^(\w+)=(.*)$/gm),
    // A package can have extras, as in `langsmith[otel]==1.0.0`.
    packages: pairs(blocks.get('sh') ?? '', /(@?[\w./-]+?)(?:\[[\w,]+\])?(?:==|@)(\d[\w.]*)/g),
    sha256: createHash('sha256').update(`${program}\0${settings}`).digest('hex'),
  }
}

function pairs(text: string, pattern: RegExp): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(pattern)].map(([, key = '', value = '']) => [key, value]),
  )
}
