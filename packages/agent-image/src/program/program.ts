import type { BaseOptions } from '../base/base-options.ts'
import type { LayerCache } from '../image/layer-cache.ts'
import type { ImageConfig, Layer } from '../image/oci.ts'

/** How a container starts a program. */
export type StartCommand = Omit<ImageConfig, 'user'>

/** The layers of an agent, and how its programs start. */
export interface Program {
  readonly layers: readonly Layer[]
  /** Throws if there is no such program. */
  readonly startOf: (target: string) => StartCommand
}

/** How to build the layers of an agent. */
export interface ProgramOptions extends BaseOptions {
  readonly cache: LayerCache
  /** Receives what the programs that install packages write. */
  readonly onOutput?: ((line: string) => void) | undefined
}
