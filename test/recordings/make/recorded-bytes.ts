import { hostname, userInfo } from 'node:os'

/**
 * Replaces these folders, which occur in stack traces, with `/app` in the same number of bytes:
 * lengths in protobuf stay right.
 */
export function withoutFolders(body: Buffer, folders: readonly string[]): Buffer {
  const text = folders.reduce(
    (left, folder) => left.replaceAll(folder, `/app${'/'.repeat(folder.length - 4)}`),
    body.toString('latin1'),
  )
  return Buffer.from(text, 'latin1')
}

/** Programs name the files that they were built from; those of hosted builds are in this home. */
const FOLDER_OF_A_MACHINE = /\/(home(?!\/runner\/)|root|tmp|Users)\/[\w./-]*/
const SHORTEST_NAME = 3

/** Throws if bytes that were sent name this machine, its user or a folder of theirs. */
export function assertNeutral(body: Buffer): void {
  const text = body.toString('latin1')
  const names = [hostname(), userInfo().username].filter(
    (name) => name.length >= SHORTEST_NAME && name !== 'root',
  )
  const found = FOLDER_OF_A_MACHINE.exec(text)?.[0] ?? names.find((name) => text.includes(name))
  if (found !== undefined) throw new Error(`what was sent names this machine: ${found}`)
}
