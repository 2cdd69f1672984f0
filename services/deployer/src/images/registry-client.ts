import {
  isImageDigest,
  isRealmOf,
  registryApi,
  registryName,
  type ImageReference,
  type RegistryRealms,
} from '@slipway/agent-spec'
import {
  basicAuthorization,
  isRedirect,
  parseChallenge,
  readToken,
  tokenQuery,
  type PasswordLogin,
} from '@slipway/registry'
import { request, type Dispatcher } from 'undici'

import { NotPublicError, type RegistryConnections } from './connections.ts'

const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ')
const MAX_REDIRECTS = 3

/** The digest of an image, or why the registry didn't return it. */
export type DigestAnswer =
  | { readonly digest: string }
  | { readonly problem: 'internal' | 'no_access' | 'not_found' | 'unavailable' }

/** How a registry may be reached. */
export interface RegistryAccess {
  readonly login: PasswordLogin | undefined
  readonly plainHttp: boolean
  /** Whether a `host` or `host:port` may have an internal address. */
  readonly mayBeInternal: (host: string) => boolean
  /** Other token endpoints that get the login; undefined allows all that the registry names. */
  readonly realms: RegistryRealms | undefined
  /** Called before the login goes to a token endpoint that is neither the registry's nor known. */
  readonly onUnlistedRealm: (realm: string) => void
  readonly signal: AbortSignal
}

/**
 * Asks the registry of an image for its digest, with a HEAD request for the manifest
 * (https://github.com/opencontainers/distribution-spec). Throws an error, for operators, when the
 * registry can't be reached or leads to a place that it must not.
 */
export async function askForDigest(
  connections: RegistryConnections,
  image: ImageReference,
  access: RegistryAccess,
): Promise<DigestAnswer> {
  const session = new RegistrySession(connections, image, access)
  if (await session.isInternal()) return { problem: 'internal' }
  const { isOwn, ...first } = await session.headManifest(undefined)
  if (first.statusCode !== 401) return answerOf(first)
  // The target of a redirect must not ask for the registry's login.
  const challenge = isOwn ? String(first.headers['www-authenticate'] ?? '') : ''
  const authorization = await session.authorize(challenge)
  if (authorization === undefined) return { problem: 'no_access' }
  return answerOf(await session.headManifest(authorization))
}

/** Checks only the address of an image's registry. */
export async function checkAddress(
  connections: RegistryConnections,
  image: ImageReference,
  access: RegistryAccess,
): Promise<DigestAnswer> {
  const isInternal = await new RegistrySession(connections, image, access).isInternal()
  return isInternal ? { problem: 'internal' } : { digest: image.digest ?? '' }
}

function answerOf({ statusCode, headers }: ManifestAnswer): DigestAnswer {
  if (statusCode === 401 || statusCode === 403) return { problem: 'no_access' }
  if (statusCode === 404) return { problem: 'not_found' }
  const digest = headers['docker-content-digest']
  return statusCode === 200 && typeof digest === 'string' && isImageDigest(digest)
    ? { digest }
    : { problem: 'unavailable' }
}

type ManifestAnswer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>

/** The requests for one image. */
class RegistrySession {
  readonly #connections: RegistryConnections
  readonly #image: ImageReference
  readonly #access: RegistryAccess
  readonly #origin: URL
  readonly #mayBeInternal: boolean

  constructor(connections: RegistryConnections, image: ImageReference, access: RegistryAccess) {
    const host = registryApi(image.registry)
    this.#connections = connections
    this.#image = image
    this.#access = access
    this.#origin = new URL(`${access.plainHttp ? 'http' : 'https'}://${host}`)
    this.#mayBeInternal = access.mayBeInternal(image.registry)
  }

  /** Whether the registry has an internal address that the operator doesn't allow. */
  async isInternal(): Promise<boolean> {
    if (this.#mayBeInternal) return false
    try {
      await this.#connections.check(this.#origin)
      return false
    } catch (error) {
      if (error instanceof NotPublicError) return true
      throw error
    }
  }

  /** Follows redirects, but sends `authorization` only to the registry itself. */
  async headManifest(
    authorization: string | undefined,
  ): Promise<ManifestAnswer & { readonly isOwn: boolean }> {
    const { repository, tag = 'latest', digest } = this.#image
    let url = new URL(`/v2/${repository}/manifests/${digest ?? tag}`, this.#origin)
    for (let redirects = 0; ; redirects++) {
      const isOwn = url.origin === this.#origin.origin
      const response = await this.#send(url, {
        method: 'HEAD',
        headers: { accept: MANIFESTS, ...(isOwn && authorization && { authorization }) },
      })
      await response.body.dump()
      const { statusCode, headers } = response
      const { location } = headers
      if (!isRedirect(statusCode) || typeof location !== 'string')
        return { statusCode, headers, isOwn }
      if (redirects === MAX_REDIRECTS) throw new Error('the registry redirects too often')
      url = new URL(location, url)
    }
  }

  /**
   * Returns the Authorization header for a challenge; undefined if the login doesn't suffice
   * (https://distribution.github.io/distribution/spec/auth/token/).
   */
  async authorize(header: string): Promise<string | undefined> {
    const { login } = this.#access
    const basic = login && basicAuthorization(login)
    const challenge = parseChallenge(header)
    if (challenge?.scheme === 'basic') return basic
    const { realm: address = '', service = '' } = challenge?.parameters ?? {}
    const realm = URL.parse(address)
    if (realm === null) return undefined
    if (basic !== undefined) this.#checkRealm(realm)
    tokenQuery(realm, service, [`repository:${this.#image.repository}:pull`])
    const { statusCode, body } = await this.#send(realm, {
      method: 'GET',
      headers: { accept: 'application/json', ...(basic && { authorization: basic }) },
    })
    if (statusCode !== 200) {
      await body.dump()
      if (statusCode === 401 || statusCode === 403) return undefined
      throw new Error(`the token endpoint returned ${statusCode}`)
    }
    const found = readToken(await body.json())
    if (found === undefined) throw new Error('the response of the token endpoint has no token')
    return `Bearer ${found.token}`
  }

  #checkRealm(realm: URL): void {
    const { realms, onUnlistedRealm } = this.#access
    if (isRealmOf(this.#origin.origin, realm, realms)) return
    const { registry } = this.#image
    if (realms !== undefined)
      throw new Error(
        `${registry} asks for its login at ${realm.origin}; ` +
          `to allow that, add ${registry}=${realm.origin} to REGISTRY_REALMS`,
      )
    onUnlistedRealm(realm.origin)
  }

  // Only the operator's own registries may lead to other internal hosts, and only to allowed ones.
  async #send(
    url: URL,
    options: { method: 'GET' | 'HEAD'; headers: Record<string, string> },
  ): Promise<Dispatcher.ResponseData> {
    const registry = registryName(url.host) ?? ''
    const mayBeInternal = this.#mayBeInternal && this.#access.mayBeInternal(registry)
    const isOwn = url.origin === this.#origin.origin
    const mayBePlain = this.#access.plainHttp && (isOwn || mayBeInternal)
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBePlain))
      throw new Error(`${url.origin} doesn't use TLS`)
    return await request(url, {
      ...options,
      dispatcher: this.#connections.for(url, { mayBeInternal }),
      signal: this.#access.signal,
    })
  }
}
