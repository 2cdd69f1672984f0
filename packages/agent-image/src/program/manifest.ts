import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What images need of a package.json. */
export interface Manifest {
  readonly name: string
  /** Packages of the workspace have none: the version of the checkout is theirs. */
  readonly version: string
  readonly description?: string
  readonly license?: unknown
  readonly bin?: unknown
  readonly files?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly main?: string
  readonly scripts?: Readonly<Record<string, string>>
}

/** Reads the package.json in a folder. */
export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
}
