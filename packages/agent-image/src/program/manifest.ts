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
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly engines?: { readonly node?: string }
  /** The manager of the project and its version, as corepack has it: `pnpm@10.2.0`. */
  readonly packageManager?: string
  readonly devEngines?: { readonly packageManager?: { readonly name?: string } }
  readonly workspaces?: readonly string[] | { readonly packages: readonly string[] }
  readonly main?: string
  readonly exports?: unknown
  readonly bundleDependencies?: unknown
  readonly scripts?: Readonly<Record<string, string>>
}

/** Reads the package.json in a folder. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, 'package.json')
  const text = await readFile(file, 'utf8')
  try {
    // Windows' editors write a byte order mark, which npm ignores.
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Manifest
  } catch (error) {
    throw new Error(`${file} is not valid JSON: ${(error as Error).message}`, { cause: error })
  }
}
