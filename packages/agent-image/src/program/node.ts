import { posix } from 'node:path'
import { openBase } from '../base/base.ts'
import { APPLICATION_PATH, readApplication } from './application.ts'
import { requireNativeModules } from './native-modules.ts'
import { nodeDependencies } from './node-dependencies.ts'
import type { Program, ProgramOptions } from './program.ts'
import { packageTree, sourceTree } from './source-files.ts'
import { requireStartFile } from './start-file.ts'

/**
 * Builds the layers of the Node.js package in a folder: a base with Node.js, its production
 * dependencies as they are installed, and the package itself.
 */
export async function nodeProgram(folder: string, options: ProgramOptions): Promise<Program> {
  const { cache, progress, signal } = options
  const { programs, hasFiles } = await readApplication(folder)
  // Before the base, so that a mistake is reported without a download.
  const modules = await nodeDependencies(folder, APPLICATION_PATH)
  await requireNativeModules(modules, options.platform)
  const base = await openBase('node', cache, options)
  signal?.throwIfAborted()
  const dependencies = await cache.layer(modules)
  const plain = (file: string): string => posix.normalize(file).replace(/^\/+/, '')
  const sources = hasFiles
    ? await packageTree(folder, APPLICATION_PATH, { progress, signal })
    : await sourceTree(folder, APPLICATION_PATH, Object.values(programs).map(plain), {
        progress,
        signal,
      })
  signal?.throwIfAborted()
  return {
    layers: [...base.layers, dependencies, await cache.layer(sources.entries)],
    startOf(target) {
      const program = programs[target]
      if (program === undefined) {
        const known = Object.keys(programs).join(', ')
        throw new Error(`${folder} has no program ${target}; its package.json has: ${known}`)
      }
      requireStartFile(sources, APPLICATION_PATH, plain(program), 'package.json')
      return {
        entrypoint: ['node', program.replace(/^\.\//, '')],
        environment: { ...base.environment, NODE_ENV: 'production' },
        workingDirectory: `/${APPLICATION_PATH}`,
      }
    },
  }
}
