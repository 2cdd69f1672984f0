import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderIn, homeFolder } from '../user-folders.ts'

/** What docker and podman write at a login. */
export interface CredentialFile {
  /** The path, or the variable with the content. */
  readonly name: string
  readonly auths: Readonly<Record<string, StoredLogin>>
  /** Names of helpers by host. */
  readonly credHelpers: Readonly<Record<string, string>>
  /** The helper for all hosts. */
  readonly credsStore: string | undefined
}

/** A login in a credential file: a token, or what `readPassword` reads. */
export interface StoredLogin {
  readonly identitytoken?: string
  readonly registrytoken?: string
}

/**
 * Reads the logins of docker and podman: `DOCKER_AUTH_CONFIG`, `config.json` in `DOCKER_CONFIG` or
 * ~/.docker, and containers' auth.json. Files that don't exist are left out.
 */
export async function readCredentialFiles(
  environment: NodeJS.ProcessEnv,
): Promise<CredentialFile[]> {
  const files: CredentialFile[] = []
  const inline = environment['DOCKER_AUTH_CONFIG']
  if (inline) files.push(parse('DOCKER_AUTH_CONFIG', inline))
  for (const path of credentialPaths(environment)) {
    const text = await read(path)
    if (text !== undefined) files.push(parse(path, text))
  }
  return files
}

/** The files in which logins are looked for, in this order. */
export function credentialPaths(environment: NodeJS.ProcessEnv): string[] {
  const home = homeFolder(environment)
  const docker = environment['DOCKER_CONFIG'] || (home && join(home, '.docker'))
  const config = folderIn(environment, 'XDG_CONFIG_HOME') ?? (home && join(home, '.config'))
  const chosen = environment['REGISTRY_AUTH_FILE']
  const ofPodman = [folderIn(environment, 'XDG_RUNTIME_DIR'), config]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, 'containers/auth.json'))
  return [...(docker ? [join(docker, 'config.json')] : []), ...(chosen ? [chosen] : ofPodman)]
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new Error(`can't read the registry logins in ${path}: ${code}`, { cause: error })
  }
}

function parse(name: string, text: string): CredentialFile {
  let value: unknown
  try {
    value = text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    throw new Error(`${name}, which has registry logins, is not JSON; fix it or log in again`)
  }
  const { auths, credHelpers, credsStore } = mapping(value)
  return {
    name,
    auths: mapping(auths) as Record<string, StoredLogin>,
    credHelpers: mapping(credHelpers) as Record<string, string>,
    credsStore: typeof credsStore === 'string' && credsStore !== '' ? credsStore : undefined,
  }
}

function mapping(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
