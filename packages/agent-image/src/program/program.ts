import type { Base, BaseOptions } from '../base/base-options.ts'
import type { LayerCache } from '../image/layer-cache.ts'
import type { ImageConfig, Layer } from '../image/oci.ts'

/** How a container starts a program. */
export type StartCommand = Omit<ImageConfig, 'user'>

/** What the spec says about the start of a container. */
export interface AskedStart {
  /** The words of the command; undefined if the project says what starts. */
  readonly command?: readonly string[] | undefined
  readonly port?: number | undefined
}

/** A program whose start is looked for before anything is installed. */
export interface FirstProgram {
  readonly target: string
  readonly start: AskedStart
}

/** A layer of an agent above its base. */
export interface OwnLayer {
  readonly name: 'dependencies' | 'own packages' | 'application'
  /** What has put its files there. */
  readonly reason: string
  readonly layer: Layer
}

/** The layers of an agent, and how its programs start. */
export interface Program {
  readonly base: Base
  /** The layer that changes most often is the last one. */
  readonly own: readonly OwnLayer[]
  /** The rules that leave files or folders out, by their paths in the agent's folder. */
  readonly leftOut: ReadonlyMap<string, string>
  /** Throws if there is no such program. */
  readonly startOf: (target: string, asked?: AskedStart) => StartCommand
}

/** How to build the layers of an agent. */
export interface ProgramOptions extends BaseOptions {
  readonly cache: LayerCache
  /** The first program that will be built. */
  readonly first?: FirstProgram | undefined
  /** Receives what the programs that install packages write. */
  readonly onOutput?: ((line: string) => void) | undefined
}
