import type { Layer, Platform } from '../image/oci.ts'
import type { Progress } from '../progress.ts'
import type { RegistryAccess } from '../registry/registry-client.ts'
import type { BaseLock } from './base-lock.ts'

/** Languages of programs that need no Dockerfile. */
export type Language = 'node' | 'python'

/** The lower layers of an image: an operating system with a language. */
export interface Base {
  readonly layers: readonly Layer[]
  readonly environment: Readonly<Record<string, string>>
  /** The name of an image with its digest, or `packages`. */
  readonly name: string
  /** The version of the language; undefined if the base doesn't say. */
  readonly version: string | undefined
}

/** Options of a base. */
export interface BaseOptions extends RegistryAccess {
  /** An image, or `packages`. Default: SLIPWAY_BASE, or else a public image. */
  readonly base?: string | undefined
  /** What earlier builds have recorded of public images. */
  readonly lock?: BaseLock | undefined
  /** Records what the tags of public images have now. */
  readonly updateBase?: boolean | undefined
  readonly platform: Platform
  readonly progress: Progress
}
