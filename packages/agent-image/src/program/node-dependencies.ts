import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../image/entries.ts'
import { hoistedDependencies } from './hoisted-modules.ts'
import { readManifest } from './manifest.ts'
import { linkedDependencies } from './node-modules.ts'

/**
 * Returns the production dependencies of the package in a folder, for an image in which the package
 * is at `path`, from what npm, pnpm or Yarn have installed. Nothing is downloaded.
 */
export async function nodeDependencies(folder: string, path: string): Promise<readonly Entry[]> {
  const { dependencies = {} } = await readManifest(folder)
  const isLinked = Object.keys(dependencies).some((name) =>
    lstatSync(join(folder, 'node_modules', name), { throwIfNoEntry: false })?.isSymbolicLink(),
  )
  // pnpm links a package to its dependencies; others put them where Node.js looks for them.
  if (!isLinked) return await hoistedDependencies(folder, path)
  return (await linkedDependencies(folder, `${path}/node_modules`)).entries
}
