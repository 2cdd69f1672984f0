import type { Layer, Platform } from '../image/oci.ts'
import type { Progress } from '../progress.ts'
import type { RegistryAccess } from '../registry/registry-client.ts'

/** Languages of programs that need no Dockerfile. */
export type Language = 'node' | 'python'

/** The lower layers of an image: an operating system with a language. */
export interface Base {
  readonly layers: readonly Layer[]
  readonly environment: Readonly<Record<string, string>>
  /** The version of the language; undefined if the base doesn't say. */
  readonly version: string | undefined
}

/** Options of a base. */
export interface BaseOptions extends RegistryAccess {
  /** An image, or `packages`. Default: packages where they can be unpacked, else DEFAULT_BASES. */
  readonly base?: string | undefined
  readonly platform: Platform
  readonly progress: Progress
}
