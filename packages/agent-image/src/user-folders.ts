import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Variables that name one folder. */
const FOLDER = /^(?:HOME|XDG_\w+_(?:HOME|DIR))$/

/**
 * The folder that a variable names. By the XDG standard, a variable that is empty or has a relative
 * path counts as not set.
 */
export function folderIn(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const folder = environment[name]
  return folder !== undefined && isAbsolute(folder) ? folder : undefined
}

/** The home folder of the user; undefined if neither `HOME` nor the system knows one. */
export function homeFolder(environment: NodeJS.ProcessEnv): string | undefined {
  const home = folderIn(environment, 'HOME')
  if (home !== undefined) return home
  try {
    return userInfo().homedir || undefined
  } catch {
    return undefined // the user has no entry in the user database
  }
}

/** The folder of caches, of the XDG standard. */
export function cacheHome(environment: NodeJS.ProcessEnv): string {
  const home = homeFolder(environment)
  const folder = folderIn(environment, 'XDG_CACHE_HOME') ?? (home && join(home, '.cache'))
  if (folder === undefined)
    throw new Error('there is no folder for the cache: set HOME or SLIPWAY_CACHE_DIR')
  return folder
}

/** Whether a program that doesn't check this itself may get a variable. */
export function isUsable([name, value]: readonly [string, string | undefined]): boolean {
  return !FOLDER.test(name) || (value !== undefined && isAbsolute(value))
}
