import { readCredentialFiles, type CredentialFile, type StoredLogin } from './credential-files.ts'
import { askCredentialHelper } from './credential-helper.ts'
import type { Credentials } from './login.ts'

/** The host of Docker Hub's API, and the names under which logins have it. */
const DOCKER_HUB = 'registry-1.docker.io'
const DOCKER_HUB_SERVER = 'https://index.docker.io/v1/'
const DOCKER_HUB_NAMES = ['index.docker.io', 'docker.io', DOCKER_HUB]

/**
 * Returns the login for a repository of a registry, as docker and podman find it; undefined if
 * there is none. Throws if a file can't be read or a credential helper fails.
 */
export async function findCredentials(
  host: string,
  repository: string,
  environment: NodeJS.ProcessEnv = process.env,
  signal?: AbortSignal,
): Promise<Credentials | undefined> {
  for (const file of await readCredentialFiles(environment)) {
    const found = await inFile(file, host, repository, environment, signal)
    if (found) return found
  }
  return undefined
}

async function inFile(
  file: CredentialFile,
  host: string,
  repository: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<Credentials | undefined> {
  const server = host === DOCKER_HUB ? DOCKER_HUB_SERVER : host
  const names = namesOf(host)
  const helper = names.map((name) => own(file.credHelpers, name)).find(Boolean) ?? file.credsStore
  if (helper !== undefined) {
    const found = await askCredentialHelper(helper, server, file.name, environment, signal)
    if (found) return found
  }
  const logins = Object.entries(file.auths).map(([key, login]) => [normalized(key), login] as const)
  for (const name of names) {
    // containers' auth.json may have a login for a part of a registry: the longest path wins.
    for (let path = `${name}/${repository}`; ; path = path.slice(0, path.lastIndexOf('/'))) {
      const login = logins.find(([key]) => key === path)?.[1]
      const found = login && ofLogin(login, file.name)
      if (found) return found
      if (path === name || !path.includes('/')) break
    }
  }
  return undefined
}

function namesOf(host: string): readonly string[] {
  return host === DOCKER_HUB ? [DOCKER_HUB_SERVER, ...DOCKER_HUB_NAMES] : [host]
}

/** A key of `auths` without the scheme and the path of an API: `https://host/v2/` is `host`. */
function normalized(key: string): string {
  return key.replace(/^https?:\/\//, '').replace(/\/(v[12]\/?)?$/, '')
}

function ofLogin(login: StoredLogin, source: string): Credentials | undefined {
  const { auth, identitytoken, registrytoken } = login
  if (identitytoken) return { kind: 'identity-token', token: identitytoken, source }
  if (registrytoken) return { kind: 'registry-token', token: registrytoken, source }
  const text = auth ? Buffer.from(auth, 'base64').toString('utf8') : ''
  const colon = text.indexOf(':')
  const user = colon >= 0 ? text.slice(0, colon) : (login.username ?? '')
  // Docker pads some passwords with NUL.
  const password = (colon >= 0 ? text.slice(colon + 1) : (login.password ?? '')).replace(/\0+$/, '')
  return user === '' && password === '' ? undefined : { kind: 'password', user, password, source }
}

function own(record: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
