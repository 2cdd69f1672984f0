import { posix } from 'node:path'

const WHITEOUT = '.wh.'
const OPAQUE = '.wh..wh..opq'

/** Whether a file of a layer only says what the layer removes (OCI image spec, layer.md). */
export function isWhiteout(path: string): boolean {
  return path.startsWith(WHITEOUT, path.lastIndexOf('/') + 1)
}

/** Whether a whiteout removes a path of the layers below. An opaque one empties its folder. */
export function removedBy(whiteout: string): (path: string) => boolean {
  const name = posix.basename(whiteout)
  const folder = posix.dirname(whiteout)
  if (name === OPAQUE) return (path) => path.startsWith(`${folder}/`)
  const removed = posix.join(folder, name.slice(WHITEOUT.length))
  return (path) => path === removed || path.startsWith(`${removed}/`)
}
