import { isImageDigest, type ImageReference } from '@slipway/agent-spec'
import { request, type Dispatcher } from 'undici'

import type { RegistryConnections } from './connections.ts'
import type { RegistryLogin } from './docker-config.ts'

const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ')
const MAX_REDIRECTS = 3
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** The digest of an image, or why the registry didn't return it. */
export type DigestAnswer =
  | { readonly digest: string }
  | { readonly problem: 'no_access' | 'not_found' | 'unavailable' }

/** How a registry may be reached. */
export interface RegistryAccess {
  readonly login: RegistryLogin | undefined
  readonly plainHttp: boolean
  /** Whether a `host` or `host:port` may have an internal address. */
  readonly mayBeInternal: (host: string) => boolean
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
  const first = await session.headManifest(undefined)
  if (first.statusCode !== 401) return answerOf(first)
  const authorization = await session.authorize(String(first.headers['www-authenticate'] ?? ''))
  if (authorization === undefined) return { problem: 'no_access' }
  return answerOf(await session.headManifest(authorization))
}

function answerOf({ statusCode, headers }: Dispatcher.ResponseData): DigestAnswer {
  if (statusCode === 401 || statusCode === 403) return { problem: 'no_access' }
  if (statusCode === 404) return { problem: 'not_found' }
  const digest = headers['docker-content-digest']
  return statusCode === 200 && typeof digest === 'string' && isImageDigest(digest)
    ? { digest }
    : { problem: 'unavailable' }
}

/** The requests for one image. */
class RegistrySession {
  readonly #connections: RegistryConnections
  readonly #image: ImageReference
  readonly #access: RegistryAccess
  readonly #origin: URL
  readonly #isInternal: boolean

  constructor(connections: RegistryConnections, image: ImageReference, access: RegistryAccess) {
    const { registry } = image
    const host = registry === 'docker.io' ? 'registry-1.docker.io' : registry
    this.#connections = connections
    this.#image = image
    this.#access = access
    this.#origin = new URL(`${access.plainHttp ? 'http' : 'https'}://${host}`)
    this.#isInternal = access.mayBeInternal(registry)
  }

  /** Follows redirects, but sends `authorization` only to the registry itself. */
  async headManifest(authorization: string | undefined): Promise<Dispatcher.ResponseData> {
    const { repository, tag = 'latest', digest } = this.#image
    let url = new URL(`/v2/${repository}/manifests/${digest ?? tag}`, this.#origin)
    for (let redirects = 0; ; redirects++) {
      const isOwn = url.origin === this.#origin.origin
      const response = await this.#send(url, {
        method: 'HEAD',
        headers: { accept: MANIFESTS, ...(isOwn && authorization && { authorization }) },
      })
      await response.body.dump()
      const { location } = response.headers
      if (!REDIRECTS.has(response.statusCode) || typeof location !== 'string') return response
      if (redirects === MAX_REDIRECTS) throw new Error('the registry redirects too often')
      url = new URL(location, url)
    }
  }

  /**
   * Returns the Authorization header for a challenge; undefined if the login doesn't suffice
   * (https://distribution.github.io/distribution/spec/auth/token/).
   */
  async authorize(challenge: string): Promise<string | undefined> {
    const { login } = this.#access
    const basic =
      login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`
    if (/^basic\b/i.test(challenge)) return basic
    const parameter = (name: string) =>
      new RegExp(`^bearer\\b.*\\b${name}="([^"]*)"`, 'i').exec(challenge)?.[1]
    const realm = URL.parse(parameter('realm') ?? '')
    if (realm === null) return undefined
    const service = parameter('service')
    if (service !== undefined) realm.searchParams.set('service', service)
    realm.searchParams.set('scope', `repository:${this.#image.repository}:pull`)
    const { statusCode, body } = await this.#send(realm, {
      method: 'GET',
      headers: { accept: 'application/json', ...(basic && { authorization: basic }) },
    })
    if (statusCode !== 200) {
      await body.dump()
      if (statusCode === 401 || statusCode === 403) return undefined
      throw new Error(`the token endpoint returned ${statusCode}`)
    }
    const { token, access_token: accessToken } = (await body.json()) as Record<string, unknown>
    const found = token ?? accessToken
    if (typeof found !== 'string' || !/^[\x21-\x7e]+$/.test(found))
      throw new Error('the response of the token endpoint has no token')
    return `Bearer ${found}`
  }

  // Only the operator's own registries may lead to other internal hosts, and only to allowed ones.
  async #send(
    url: URL,
    options: { method: 'GET' | 'HEAD'; headers: Record<string, string> },
  ): Promise<Dispatcher.ResponseData> {
    const mayBeInternal = this.#isInternal && this.#access.mayBeInternal(url.host)
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
