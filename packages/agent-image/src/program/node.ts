import { openBase } from '../base/base.ts'
import { APPLICATION_PATH, readApplication } from './application.ts'
import { nodeLayers, plainPath } from './node-layers.ts'
import { readNodeProject } from './node-project.ts'
import type { Program, ProgramOptions } from './program.ts'
import { requireStartFile } from './start-file.ts'

/**
 * Builds the layers of the Node.js package in a folder: a base with Node.js, what its package
 * manager installs, and the package itself.
 */
export async function nodeProgram(folder: string, options: ProgramOptions): Promise<Program> {
  // Before the base, so that a mistake is reported without a download.
  const application = await readApplication(folder)
  const project = await readNodeProject(folder)
  const base = await openBase('node', options.cache, options)
  options.signal?.throwIfAborted()
  const { layers, path, files } = await nodeLayers(project, application, base.version, options)
  const { programs } = application
  return {
    layers: [...base.layers, ...layers],
    startOf(target) {
      const program = programs[target]
      if (program === undefined) {
        const known = Object.keys(programs).join(', ')
        throw new Error(`${folder} has no program ${target}; its package.json has: ${known}`)
      }
      requireStartFile(files, path, plainPath(program), 'package.json')
      return {
        entrypoint: ['node', program.replace(/^\.\//, '')],
        environment: { ...base.environment, NODE_ENV: 'production' },
        workingDirectory: `/${APPLICATION_PATH}`,
      }
    },
  }
}
