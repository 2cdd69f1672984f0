import { join } from 'node:path'
import { bringFromNpm, versionHere, type BringOptions } from './npm-programs.ts'

/** The Node.js that installs and builds a project. */
export interface BuildNode {
  /** The folder with the program, if it was brought: the first of `PATH`. */
  readonly folder?: string
  /** Why native code that is installed with it may not fit the image. */
  readonly problem?: string
}

/**
 * Returns the Node.js that installs and builds a project for an image: the one that is here, if it
 * has the major version of the image's, because native code is for one major version; else one that
 * is brought from npm. `version` is that of the image, if known.
 */
export async function nodeOfImage(
  version: string | undefined,
  options: BringOptions,
): Promise<BuildNode> {
  const here = await versionHere('node', options)
  if (version === undefined || here === undefined || majorOf(version) === majorOf(here)) return {}
  // Packages that have one file each.
  const source = `node-${process.platform}-${process.arch}`
  const reason = `the image has it, and here is ${here}`
  const problem = `is for Node.js ${majorOf(here)}, and the image has Node.js ${majorOf(version)}`
  try {
    const { folder } = await bringFromNpm({ name: 'node', source, version, reason }, options)
    // Such as one that needs another C library than the machine has.
    const runs = await versionHere(join(folder, 'node'), options)
    return runs === undefined ? { problem } : { folder }
  } catch (error) {
    options.signal?.throwIfAborted()
    const first = (error as Error).message.split('\n')[0] ?? ''
    options.progress(`warning: can't bring Node.js ${version}: ${first}`)
    return { problem }
  }
}

function majorOf(version: string): string {
  return /\d+/.exec(version)?.[0] ?? ''
}
