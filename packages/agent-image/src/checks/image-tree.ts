import { isWhiteout, removedBy } from '../image/whiteouts.ts'
import type { LayerFile } from './layer-files.ts'

const MOST_LINKS = 40

/** The file system of an image: what its layers have, the last one on top. */
export class ImageTree {
  readonly #files = new Map<string, LayerFile>()
  #names: ReadonlySet<string> | undefined

  constructor(layers: readonly (readonly LayerFile[])[]) {
    for (const layer of layers) {
      // What a layer removes is below it, wherever the layer lists it.
      for (const { path } of layer) if (isWhiteout(path)) this.#removeBelow(removedBy(path))
      for (const file of layer) if (!isWhiteout(file.path)) this.#add(file)
    }
  }

  #add(file: LayerFile): void {
    // Layers need not list the folders of what they have.
    for (let at = parentOf(file.path); at !== ''; at = parentOf(at)) {
      if (this.#files.has(at)) break
      this.#files.set(at, { path: at, type: 'directory', mode: 0o755, uid: 0, gid: 0, size: 0 })
    }
    this.#files.set(file.path, file)
  }

  #removeBelow(isRemoved: (path: string) => boolean): void {
    for (const each of this.#files.keys()) if (isRemoved(each)) this.#files.delete(each)
  }

  /** Whether a file of this name is anywhere in the image. */
  hasName(name: string): boolean {
    this.#names ??= new Set(this.#files.values().map(({ path }) => nameOf(path)))
    return this.#names.has(name)
  }

  /** Whether the image has a native module of Python, by its path without endings. */
  hasModule(path: string): boolean {
    const start = `${path.replace(/^\//, '')}.`
    return this.#files.keys().some((each) => each.startsWith(start) && each.endsWith('.so'))
  }

  /** The noted texts of files whose paths match. */
  texts(pattern: RegExp): string[] {
    return this.#files
      .values()
      .flatMap(({ path, text }) => (text !== undefined && pattern.test(path) ? [text] : []))
      .toArray()
  }

  /**
   * Follows the links of an absolute path. Returns the file that it leads to; undefined if there is
   * none, or if links lead in a circle.
   */
  resolve(path: string): LayerFile | undefined {
    const found = this.walk(path)
    return found.missing === undefined ? found.files.at(-1) : undefined
  }

  /** Follows the links of a path: what is on the way, and the place that is missing. */
  walk(path: string): { readonly files: readonly LayerFile[]; readonly missing?: string } {
    const files: LayerFile[] = []
    let [place, rest] = ['', path.split('/')]
    let links = 0
    while (rest.length > 0) {
      const [part = '', ...others] = rest
      rest = others
      if (part === '' || part === '.') continue
      if (part === '..') {
        place = parentOf(place)
        continue
      }
      const next = place === '' ? part : `${place}/${part}`
      const file = this.#files.get(next)
      if (file === undefined) return { files, missing: `/${next}` }
      files.push(file)
      place = next
      if (file.target === undefined) continue
      if (++links > MOST_LINKS) return { files, missing: `/${next}` }
      // Hard links are named from the root, symbolic links from their folder.
      const isFromRoot = file.type === 'link' || file.target.startsWith('/')
      place = isFromRoot ? '' : parentOf(place)
      rest = [...file.target.split('/'), ...rest]
    }
    return { files }
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
