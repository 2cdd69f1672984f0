import { realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import {
  APPLICATION_PATH,
  dependencyLinks,
  fileEntry,
  hostFileEntry,
  isWorkspacePackage,
  npmComponent,
  PackageStore,
  packageTree,
  readManifest,
  relate,
  symlinkEntry,
  type Component,
  type Entry,
  type Relations,
} from '@slipway/agent-image/parts'
import { asJavaScript } from './javascript.ts'

/** What `npm pack` takes, but no service reads. */
const NOT_RUN = /\.test\.ts$|\/README\.md$/

/** A package of the workspace with everything that it needs in production. */
export interface WorkspaceClosure {
  /** The package itself. */
  readonly subject: Component
  /** All packages: those of the workspace and those from npm. */
  readonly components: readonly Component[]
  readonly relations: Relations
  /** The files of the packages from npm; they change with the lockfile. */
  readonly dependencies: readonly Entry[]
  /** The files of the workspace's packages, and their links. */
  readonly sources: readonly Entry[]
}

/**
 * Returns the package in `folder` and its production dependencies as entries below /app. The
 * packages of the workspace keep their folders, as JavaScript. Other packages reach them by links.
 * /app/package.json has the version of the checkout, which is that of all its packages.
 */
export async function workspaceClosure(
  checkout: string,
  folder: string,
): Promise<WorkspaceClosure> {
  const root = await realpath(checkout)
  const store = new PackageStore(`${APPLICATION_PATH}/node_modules`)
  const license = await hostFileEntry(`${APPLICATION_PATH}/LICENSE`, join(root, 'LICENSE'))
  const { name, version } = await readManifest(root)
  const release = fileEntry(`${APPLICATION_PATH}/package.json`, JSON.stringify({ name, version }))
  const sources: Entry[] = [license, release]
  const added = new Map<string, Component>()

  /** Adds a package of the workspace; returns its path in the image. */
  async function add(packageFolder: string): Promise<string> {
    const path = `${APPLICATION_PATH}/${relative(root, packageFolder)}`
    if (added.has(path)) return path
    const component = npmComponent({ ...(await readManifest(packageFolder)), version })
    added.set(path, component)
    const { entries } = await packageTree(packageFolder, path, { progress: () => {} })
    const files = entries.filter((each) => !NOT_RUN.test(each.path))
    sources.push(...(await asJavaScript(files)))
    for (const [name, link] of await dependencyLinks(packageFolder)) {
      const target = await realpath(link)
      const isOurs = isWorkspacePackage(target, name)
      const found = isOurs ? await add(target) : await store.add(link, name)
      const needed = isOurs ? added.get(found) : store.components.get(found)
      if (needed) relate(store.relations, component, needed)
      const place = isOurs ? found : `${APPLICATION_PATH}/node_modules/${found}`
      const at = `${path}/node_modules/${name}`
      sources.push(symlinkEntry(at, relative(dirname(at), place)))
    }
    return path
  }

  const path = await add(await realpath(resolve(root, folder)))
  const subject = added.get(path)
  if (subject === undefined) throw new Error(`${folder} is not a package of the workspace`)
  return {
    subject,
    components: [...added.values(), ...store.components.values()],
    relations: store.relations,
    dependencies: store.entries,
    sources,
  }
}
