import { posix } from 'node:path'
import type { LayerCache } from '../image/layer-cache.ts'
import type { Layer, Platform } from '../image/oci.ts'
import type { StartCommand } from '../program/program.ts'
import { sizeWarnings } from './image-contents.ts'
import { ImageTree } from './image-tree.ts'
import { layerFiles, type LayerFile } from './layer-files.ts'
import { linkWarnings, scriptWarnings, requireReadable } from './file-checks.ts'
import { findLacking, type LackingFile } from './native-libraries.ts'
import { loadedByNode } from './node-loads.ts'
import { loadedByPython } from './python-loads.ts'
import { namedObject, objectWarnings } from './python-objects.ts'
import { launchedStart, pythonStartModules, requireModules } from './python-start-modules.ts'
import { requireProgram } from './start-program.ts'

/** An image before it is pushed. */
export interface CheckedImage {
  readonly base: readonly Layer[]
  /** The layers above the base, that of the application last. */
  readonly own: readonly Layer[]
  readonly start: StartCommand
  readonly platform: Platform
  /** The rules that leave files or folders out, by their paths in the agent's folder. */
  readonly leftOut: ReadonlyMap<string, string>
}

/** How to check images. */
export interface CheckOptions {
  readonly cache: LayerCache
  readonly signal?: AbortSignal | undefined
}

/** Increase it if a check changes, so that images are checked again. */
const RECIPE = 6
const MOST_NAMES = 5

/**
 * Checks that the container of an image can start. Throws what certainly keeps it from that, and
 * returns warnings about the rest. The cache keeps the result.
 */
export async function checkImage(image: CheckedImage, options: CheckOptions): Promise<string[]> {
  const { base, own, start, platform } = image
  const { cache, signal } = options
  const layers = [...base, ...own].map(({ diffId }) => diffId)
  const question = { kind: 'checked', recipe: RECIPE, layers, start, platform }
  const known = await cache.recall<string[]>(question)
  if (known !== undefined) return known
  const read = async (each: readonly Layer[]): Promise<(readonly LayerFile[])[]> =>
    await Array.fromAsync(each, async (layer) => await layerFiles(layer, cache))
  const above = await read(own)
  const tree = new ImageTree([...(await read(base)), ...above])
  signal?.throwIfAborted()
  const files = above.flat()
  requireReadable(files)
  const warnings = [
    ...(await startWarnings(image, tree, files, signal)),
    ...linkWarnings(files, tree),
    ...scriptWarnings(files, tree, start),
    ...sizeWarnings(files),
  ]
  await cache.note(question, warnings)
  return warnings
}

/** Checks what a container starts, and returns warnings about libraries that nothing has. */
async function startWarnings(
  { own, start, platform, leftOut }: CheckedImage,
  tree: ImageTree,
  files: readonly LayerFile[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const launched = launchedStart(start)
  if (launched !== undefined) requireProgram(tree, start)
  const started = launched ?? start
  const chain = requireProgram(tree, started)
  const language = chain.at(-1)?.path ?? ''
  const isPython = /(^|\/)python[\d.]*$/.test(language)
  const modules = isPython ? pythonStartModules(started, tree, language) : undefined
  const command = start.entrypoint.join(' ')
  if (modules !== undefined) requireModules(modules, tree, command, leftOut)
  const application = own.at(-1)
  const object = modules && namedObject(modules, tree)
  const warnings =
    object === undefined || application === undefined
      ? []
      : await objectWarnings(object, application, command, signal)
  const lacking = findLacking(files, tree, platform, start.environment ?? {})
  if (lacking.length === 0) return warnings
  const suspects = lacking.map(({ path }) => path)
  const script = chain[0]?.script === undefined ? [] : [`/${chain[0].path}`]
  const file = posix.resolve(start.workingDirectory ?? '/', started.entrypoint[1] ?? '')
  const loaded =
    modules !== undefined
      ? await loadedByPython(
          suspects,
          { ...modules, files: [...script, ...modules.files] },
          own,
          signal,
        )
      : application !== undefined
        ? await loadedByNode(suspects, `/${tree.resolve(file)?.path ?? ''}`, application)
        : new Set<string>()
  const certain = lacking.filter(
    ({ path }) => loaded.has(path) || chain.some((each) => each.path === path),
  )
  const remedy =
    'build with --base of an image that has them or from a Dockerfile that installs them, or ' +
    'take a package without them, for example opencv-python-headless for opencv-python'
  if (certain.length > 0)
    throw new Error(
      `${command} loads native code that lacks libraries: ${listed(certain)}; neither the base ` +
        `nor the packages have them; ${remedy}`,
    )
  return [
    ...warnings,
    `warning: native code lacks libraries and fails if it is loaded: ` +
      `${listed(lacking.filter(({ isDirect }) => isDirect))}; ${remedy}`,
  ]
}

function listed(lacking: readonly LackingFile[]): string {
  const more = lacking.length > MOST_NAMES ? `, and ${lacking.length - MOST_NAMES} more` : ''
  const names = lacking
    .slice(0, MOST_NAMES)
    .map(({ path, missing }) => `${path} needs ${missing.join(', ')}`)
  return `${names.join('; ')}${more}`
}
