import { isAbsolute, relative, sep } from 'node:path'

/** Whether a path of this machine is a folder or something in it. Both are absolute, links stay. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Throws unless a path of an archive stays in the folder into which the archive is unpacked. */
export function requirePathOfArchive(path: string): void {
  const isPlain = path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  if (!isPlain || path.includes('\0'))
    throw new Error(`${JSON.stringify(path)} is not a path inside of an image`)
}
