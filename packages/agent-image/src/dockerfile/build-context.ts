import { constants, existsSync } from 'node:fs'
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { hostFileEntry } from '../image/entries.ts'
import { isInside } from '../inside.ts'
import { isFileOfManager, withoutLogin } from '../program/manager-logins.ts'
import { hasNameOfSecret, holdsPrivateKey, isFolderOfSecrets } from '../program/secret-files.ts'
import { dockerRule, type LeavesOut } from '../program/source-rules.ts'

/** The folder that an engine gets. */
export interface BuildContext extends AsyncDisposable {
  readonly folder: string
  /** The files of secrets that it lacks, by their paths in the folder that was named. */
  readonly secrets: readonly string[]
  /** Files of package managers with a login, which the engine gets. */
  readonly logins: readonly string[]
}

/** Settings that Dockerfiles copy, and that hold a secret only with a login. */
const SETTINGS = /(^|\/)(\.npmrc|\.yarnrc|\.yarnrc\.yml|pip\.conf)$/i
/**
 * A value of a setting with a secret, or a password in an address; not those of a variable. What is
 * not certain is a secret: a file that is left out is named, and its author can correct it.
 */
const SECRET_VALUES = [
  /^[^#;\n]*(_auth(token)?|_password|npmauth(token|ident))["']?\s*[=:]\s*["']?(?!\$\{)[^\s"']/im,
  /:\/\/[^/\s:]*:(?!(?:\$\{[^}\s]*\})+@)[^/\s@]*@/,
]

/**
 * Returns the context of a build without files of secrets: the folder itself if it has none that
 * the engine would get, else a copy, which disposal deletes. Everything else is as in the folder,
 * and the engine applies its own rules.
 */
export async function contextWithoutSecrets(
  folder: string,
  dockerfile: string,
  temporary: string,
): Promise<BuildContext> {
  // Engines that know one of these files read no .dockerignore then.
  const others = [`${dockerfile}.dockerignore`, join(folder, '.containerignore')]
  const leavesOut = others.some((file) => existsSync(file))
    ? () => undefined
    : await dockerRule(folder)
  const { secrets, logins } = await secretsOf(folder, leavesOut)
  if (secrets.length === 0)
    return { folder, secrets, logins, [Symbol.asyncDispose]: async () => await Promise.resolve() }
  // A folder can't be copied into itself.
  const place = isInside(folder, temporary) ? tmpdir() : temporary
  await mkdir(place, { recursive: true })
  const copy = await mkdtemp(join(place, '.context-'))
  const remove = async (): Promise<void> => await rm(copy, { recursive: true, force: true })
  const left = new Set(secrets)
  try {
    await cp(folder, copy, {
      recursive: true,
      verbatimSymlinks: true,
      // They are in the layers that COPY makes.
      preserveTimestamps: true,
      mode: constants.COPYFILE_FICLONE,
      async filter(source) {
        const path = relative(folder, source).replaceAll(sep, '/')
        if (path === '') return true
        if (left.has(path) || isFolderOfSecrets(path)) return false
        const found = await lstat(source)
        if (found.isDirectory()) return true
        // Engines don't send sockets, pipes and devices either.
        return (found.isFile() || found.isSymbolicLink()) && leavesOut(path) === undefined
      },
    })
  } catch (error) {
    await remove()
    throw error
  }
  return { folder: copy, secrets, logins, [Symbol.asyncDispose]: remove }
}

async function secretsOf(
  folder: string,
  leavesOut: LeavesOut,
): Promise<Pick<BuildContext, 'secrets' | 'logins'>> {
  const secrets: string[] = []
  const logins: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue
    const file = join(entry.parentPath, entry.name)
    const path = relative(folder, file).replaceAll(sep, '/')
    if (leavesOut(path) !== undefined) continue
    if (await isSecret(path, file, entry.isFile())) secrets.push(path)
    else if (entry.isFile() && isOfProject(path) && (await fileHasLogin(path, file)))
      logins.push(path)
  }
  return { secrets: secrets.toSorted(), logins: logins.toSorted() }
}

/** Whether a package manager reads a file for the project, and not for an installed package. */
function isOfProject(path: string): boolean {
  return isFileOfManager(path) && !path.split('/').includes('node_modules')
}

async function fileHasLogin(path: string, file: string): Promise<boolean> {
  const entry = await hostFileEntry(path, file)
  return (await withoutLogin(entry)) !== entry
}

async function isSecret(path: string, file: string, isFile: boolean): Promise<boolean> {
  if (isFolderOfSecrets(path)) return true
  if (isFile && SETTINGS.test(path)) return await holdsSecretValue(file)
  return hasNameOfSecret(path) || (isFile && (await holdsPrivateKey(file)))
}

async function holdsSecretValue(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8')
  return SECRET_VALUES.some((pattern) => pattern.test(text))
}
