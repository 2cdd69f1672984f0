import { debianComponent, parsePackages, STATUS_PATH } from '../base/debian-packages.ts'
import type { LayerCache } from '../image/layer-cache.ts'
import { layerContents } from './layer-contents.ts'
import type { Layer } from '../image/oci.ts'
import type { Manifest } from '../program/manifest.ts'
import { licensesOf, npmComponent, type Component } from '../sbom.ts'

/** The components that files of a layer describe, by the paths of these files. */
export type LayerComponents = Readonly<Record<string, readonly Component[]>>

/** Increase it if the components of a layer change, so that noted ones are not reused. */
const RECIPE = 1
const NPM = /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@.][^/]*\/package\.json$/
const PYTHON = /\.dist-info\/METADATA$/
const RELEASE = 'usr/lib/os-release'
const REMOVED = /(?:^|\/)\.wh\.[^/]+$/

/**
 * Finds the packages of npm, Python and Debian in a layer by the files that their managers install
 * with them. What the layer removes from those below is in the record without components. The cache
 * keeps what was found.
 */
export async function layerComponents(layer: Layer, cache: LayerCache): Promise<LayerComponents> {
  const question = { kind: 'components', recipe: RECIPE, diffId: layer.diffId }
  const known = await cache.recall<LayerComponents>(question)
  if (known !== undefined) return known
  const files = await layerContents(
    layer,
    (path) =>
      path === STATUS_PATH ||
      path === RELEASE ||
      [NPM, PYTHON, REMOVED].some((pattern) => pattern.test(path)),
  )
  const release = files.get(RELEASE)?.toString() ?? ''
  const suite = /^VERSION_CODENAME="?(\w+)"?$/m.exec(release)?.[1]
  const found: Record<string, readonly Component[]> = {}
  for (const [path, bytes] of files) {
    if (path !== RELEASE) found[path] = componentsOf(path, bytes.toString(), suite)
  }
  await cache.note(question, found)
  return found
}

function componentsOf(path: string, text: string, suite: string | undefined): Component[] {
  if (path === STATUS_PATH)
    return parsePackages(text).map((each) => debianComponent(each, suite ?? 'unknown'))
  if (PYTHON.test(path)) return pythonComponent(text)
  return NPM.test(path) ? ofNpm(text) : []
}

function ofNpm(text: string): Component[] {
  let manifest: Partial<Manifest>
  try {
    manifest = JSON.parse(text) as Partial<Manifest>
  } catch {
    // Packages have such files for their own tests.
    return []
  }
  const { name, version } = manifest
  if (typeof name !== 'string' || typeof version !== 'string') return []
  return [npmComponent({ ...manifest, name, version })]
}

/** The metadata of a package are headers, as in mail. */
function pythonComponent(text: string): Component[] {
  const [headers = ''] = text.split(/\r?\n\r?\n/, 1)
  const field = (name: string) => new RegExp(`^${name}: *(\\S.*?)\\r?$`, 'm').exec(headers)?.[1]
  const [name, version] = ['Name', 'Version'].map(field)
  if (name === undefined || version === undefined) return []
  const plain = name.toLowerCase().replace(/[-_.]+/g, '-')
  const purl = `pkg:pypi/${plain}@${encodeURIComponent(version)}`
  const license = field('License-Expression') ?? field('License')
  return [{ type: 'library', 'bom-ref': purl, name, version, ...licensesOf(license), purl }]
}
