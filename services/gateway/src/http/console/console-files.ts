import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Encoding } from '../responses/accept-encoding.ts'
import { digestOf } from '../responses/entity-tag.ts'

/** A file of the console, with its bytes for each encoding that it was compressed with. */
export interface ConsoleFile {
  readonly type: string
  readonly digest: string
  readonly identity: Buffer
  readonly compressed: ReadonlyMap<Encoding, Buffer>
}

/** The console as it was built: its page, and the files that the page loads. */
export interface ConsoleFiles {
  readonly page: ConsoleFile
  /** By name below `/assets/`. Each name has a hash of its content. */
  readonly assets: ReadonlyMap<string, ConsoleFile>
}

/** Where `node apps/console/scripts/main.ts` and the image's build put the console. */
const BUILT = join(import.meta.dirname, '../../../../../apps/console/dist')

const SUFFIXES: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/**
 * Reads the console from its folder into memory; it is small. Returns undefined if it was not built
 * there.
 */
export function readConsoleFiles(folder = BUILT): ConsoleFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const assets = join(folder, 'assets')
  const names = readdirSync(assets).filter((name) => typeOf(name) !== undefined)
  return {
    page: readFile(folder, 'index.html'),
    assets: new Map(names.map((name) => [name, readFile(assets, name)])),
  }
}

function readFile(folder: string, name: string): ConsoleFile {
  const path = join(folder, name)
  const identity = readFileSync(path)
  const encodings = (Object.entries(SUFFIXES) as [Encoding, string][]).filter(([, suffix]) =>
    existsSync(`${path}${suffix}`),
  )
  return {
    type: typeOf(name) ?? 'application/octet-stream',
    digest: digestOf(identity),
    identity,
    compressed: new Map(
      encodings.map(([encoding, suffix]) => [encoding, readFileSync(`${path}${suffix}`)]),
    ),
  }
}

function typeOf(name: string): string | undefined {
  return TYPES[name.slice(name.lastIndexOf('.') + 1)]
}
