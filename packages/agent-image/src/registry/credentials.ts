import { registryName } from '@slipway/agent-spec'
import { readPassword } from '@slipway/registry'

import { readCredentialFiles, type CredentialFile, type StoredLogin } from './credential-files.ts'
import { askCredentialHelper } from './credential-helper.ts'
import type { Credentials } from './login.ts'

/** Under which names credential helpers have Docker Hub. */
const DOCKER_HUB_SERVER = 'https://index.docker.io/v1/'
const DOCKER_HUB_NAMES = [DOCKER_HUB_SERVER, 'index.docker.io', 'docker.io', 'registry-1.docker.io']

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
  const registry = registryName(host) ?? host
  const isDockerHub = registry === 'docker.io'
  const server = isDockerHub ? DOCKER_HUB_SERVER : host
  const names = isDockerHub ? DOCKER_HUB_NAMES : [host]
  const helper = names.map((name) => own(file.credHelpers, name)).find(Boolean) ?? file.credsStore
  if (helper !== undefined) {
    const found = await askCredentialHelper(helper, server, file.name, environment, signal)
    if (found) return found
  }
  const logins = Object.entries(file.auths).map(([key, login]) => [normalized(key), login] as const)
  // containers' auth.json may have a login for a part of a registry: the longest path wins.
  for (let path = `${registry}/${repository}`; ; path = path.slice(0, path.lastIndexOf('/'))) {
    const all = logins.filter(([key]) => key === path).map(([, login]) => ofLogin(login, file.name))
    const found = all.find((each) => each !== undefined)
    if (found !== undefined || path === registry) return found
  }
}

/** A key of `auths` without the scheme and the path of an API: `https://Host:443/v2/` is `host`. */
function normalized(key: string): string {
  const [host = '', ...path] = key
    .replace(/^https?:\/\//, '')
    .replace(/\/(v[12]\/?)?$/, '')
    .split('/')
  return [registryName(host) ?? host, ...path].join('/')
}

function ofLogin(login: StoredLogin, source: string): Credentials | undefined {
  const { identitytoken, registrytoken } = login
  if (identitytoken) return { kind: 'identity-token', token: identitytoken, source }
  if (registrytoken) return { kind: 'registry-token', token: registrytoken, source }
  const found = readPassword(login)
  return found && { kind: 'password', ...found, source }
}

function own(record: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
