import { readFile, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { isInside } from '../inside.ts'

const NAMED = /^[ \t]*(?:-r|-c|--requirements?|--constraints?)(?:[ \t]+|=)?([^\s#]+)/gm
/** Names of variables, as pip reads them. */
const VARIABLE = /\$\{([A-Z0-9_]+)\}/g
const EDITABLE_REPOSITORY =
  /^([ \t]*)(?:-e|--editable)(?:[ \t]+|=)(?=(?:[\w.[\],-]+[ \t]*@[ \t]*)?git\+)/gm

/** Returns the texts of a requirement file in a folder and of those that it names, by path. */
export async function requirementFiles(
  folder: string,
  file: string,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  const waiting = new Set([file])
  // A set also visits what is added meanwhile.
  for (const each of waiting) {
    const place = join(folder, each)
    const text = isInside(folder, place)
      ? await readFile(place, 'utf8').catch(() => undefined)
      : undefined
    if (text === undefined) continue
    texts.set(each, text)
    for (const [, name = ''] of text.matchAll(NAMED))
      waiting.add(posix.join(posix.dirname(each), name))
  }
  return texts
}

/** Returns the variables that texts name as `${NAME}`, such as the login of an index. */
export function namedVariables(
  texts: Iterable<string>,
  variables: NodeJS.ProcessEnv,
): Record<string, string> {
  const named: Record<string, string> = {}
  for (const text of texts)
    for (const [, name = ''] of text.matchAll(VARIABLE)) {
      const value = variables[name]
      if (value !== undefined) named[name] = value
    }
  return named
}

/**
 * Removes `-e` before the address of a repository in staged files: an image has its packages, as uv
 * installs them, but no clones. Returns the files that had it.
 */
export async function withoutEditableRepositories(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<string[]> {
  const changed: string[] = []
  for (const [file, text] of files) {
    const plain = text.replace(EDITABLE_REPOSITORY, '$1')
    if (plain === text) continue
    await writeFile(join(folder, file), plain)
    changed.push(file)
  }
  return changed
}
