import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { APPLICATION_PATH, type Application } from './application.ts'
import { requireNativeModules } from './native-modules.ts'
import { nodeDependencies } from './node-dependencies.ts'
import { filesOf, type NodeLayers } from './node-files.ts'
import { UnreachableRegistry } from './node-installation.ts'
import { planOf, whatIsInstalled } from './node-plan.ts'
import type { NodeProject } from './node-project.ts'
import type { ProgramOptions } from './program.ts'
import { stagedLayers } from './staged-layers.ts'

/**
 * Returns the layers of a Node.js agent: what its package manager installs from the lockfile, and
 * its sources, with what its build script makes. Both come from the cache if nothing has changed.
 * `language` is the version of Node.js in the image.
 */
export async function nodeLayers(
  project: NodeProject,
  application: Application,
  language: string | undefined,
  options: ProgramOptions,
): Promise<NodeLayers> {
  const plan = await planOf(project, application, options.signal)
  const present = whatIsInstalled(project, plan)
  if (present !== undefined) return await withInstalled(project, application, present, options)
  try {
    return await stagedLayers(project, application, plan, language, options)
  } catch (error) {
    const isInstalled = existsSync(join(project.agent.folder, 'node_modules'))
    if (!(error instanceof UnreachableRegistry) || !isInstalled) throw error
    const reason =
      `warning: ${project.manager} can't reach the registry; ` +
      'the image gets node_modules as it is here'
    return await withInstalled(project, application, reason, options)
  }
}

async function withInstalled(
  { agent }: NodeProject,
  application: Application,
  reason: string,
  options: ProgramOptions,
): Promise<NodeLayers> {
  const { cache, progress } = options
  if (reason !== '') progress(reason)
  const modules = await nodeDependencies(agent.folder, APPLICATION_PATH)
  await requireNativeModules(modules, options.platform)
  const dependencies = await cache.layer(modules)
  const tree = await filesOf(agent.folder, APPLICATION_PATH, application, options)
  return {
    path: APPLICATION_PATH,
    layers: [dependencies, await cache.layer(tree.entries)],
    files: tree,
    environment: {},
  }
}
