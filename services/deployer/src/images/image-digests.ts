import { parseImage, type RegistryRealms } from '@slipway/agent-spec'
import { FairQueue, type Owner } from '@slipway/shared/fair-queue'
import { LoadingCache } from '@slipway/shared/loading-cache'
import type { Logger } from '@slipway/shared/logger'
import { createCounter } from '@slipway/shared/telemetry'

import type { RegistryConnections } from './connections.ts'
import { loginOf } from './docker-config.ts'
import type { ImageAccess } from './image-access.ts'
import { askForDigest, checkAddress, type DigestAnswer } from './registry-client.ts'

/** For one image, and for all images of a deploy together. */
const TIMEOUTS_MS = { image: 5_000, deploy: 10_000 }
const RUNNING = { total: 64, perUser: 16, perAccount: 16 }
const WAITING = { total: 8_192, perUser: 1_024, perAccount: 1_024 }
const MAX_CACHED = 10_000
/** How long an answer is used again. So a registry that is down delays few deploys. */
const FRESH_MS = { digest: 2_000, unavailable: 15_000 }
const INTERNAL_REMEDY = 'add the registry to INTERNAL_REGISTRIES if it is yours'
const UNAVAILABLE: DigestAnswer = { problem: 'unavailable' }

type Ask = typeof askForDigest

const countUnlistedRealm = createCounter(
  'slipway.registry.unlisted_realms',
  'Logins of registries that went to token endpoints which the operator has not listed',
)

/** Asks registries for the digests of images. */
export class ImageDigests {
  readonly #access: ImageAccess
  readonly #realms: RegistryRealms | undefined
  readonly #connections: RegistryConnections
  readonly #logger: Logger
  readonly #queue = new FairQueue({
    running: RUNNING,
    waiting: WAITING,
    refusal: ({ scope, limit }) => new Error(`more than ${limit} images wait (${scope})`),
  })
  readonly #cache = new LoadingCache<DigestAnswer>({
    maxEntries: MAX_CACHED,
    freshUntil: (answer, startedAt) => startedAt + freshMs(answer),
  })

  constructor(
    access: ImageAccess,
    realms: RegistryRealms | undefined,
    connections: RegistryConnections,
    logger: Logger,
  ) {
    this.#access = access
    this.#realms = realms
    this.#connections = connections
    this.#logger = logger
  }

  /**
   * Asks for the digests of distinct images that the agent may use. Answers `unavailable` for those
   * whose registry doesn't respond in time. Rejects when `signal` fires.
   */
  async ask(
    images: readonly string[],
    owner: Owner,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, DigestAnswer>> {
    return await this.#answers(askForDigest, images, owner, signal)
  }

  /** Like `ask`, but checks only the addresses of the registries, for images that have a digest. */
  async checkAddresses(
    images: readonly string[],
    owner: Owner,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, DigestAnswer>> {
    return await this.#answers(checkAddress, images, owner, signal)
  }

  async #answers(
    ask: Ask,
    images: readonly string[],
    owner: Owner,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, DigestAnswer>> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUTS_MS.deploy)])
    const answers = await Promise.all(
      images.map(async (image) => [image, await this.#askFor(ask, image, owner, limited)] as const),
    )
    signal.throwIfAborted()
    return new Map(answers)
  }

  async #askFor(ask: Ask, image: string, owner: Owner, signal: AbortSignal): Promise<DigestAnswer> {
    const key = `${ask.name} ${image}`
    const known = this.#cache.get(key)
    if (known !== undefined) return known
    try {
      using _share = await this.#queue.wait(owner, { signal })
      // Others may wait for this request too, so it doesn't end with the signal of one of them.
      return (
        this.#cache.get(key) ??
        (await this.#cache.load(key, async () => await this.#request(ask, image)))
      )
    } catch (error) {
      this.#logger.warn({ err: error, image }, 'image_digest_not_asked')
      return UNAVAILABLE
    }
  }

  async #request(ask: Ask, image: string): Promise<DigestAnswer> {
    const reference = parseImage(image)
    if (reference === undefined) return UNAVAILABLE
    const credentials = this.#access.credentialsOf(image)
    try {
      const answer = await ask(this.#connections, reference, {
        login: credentials && loginOf(credentials.auths),
        plainHttp: this.#access.usesPlainHttp(reference),
        mayBeInternal: (host) => this.#access.allowsInternal(host),
        realms: this.#realms,
        onUnlistedRealm: (realm) => {
          countUnlistedRealm(1, {})
          const remedy = `add ${reference.registry}=${realm} to REGISTRY_REALMS if it is right`
          this.#logger.warn({ registry: reference.registry, realm, remedy }, 'realm_not_listed')
        },
        signal: AbortSignal.timeout(TIMEOUTS_MS.image),
      })
      if (!('problem' in answer) || answer.problem !== 'internal') return answer
      this.#logger.warn({ image, remedy: INTERNAL_REMEDY }, 'registry_address_internal')
      return this.#access.isOfOperator(image) ? UNAVAILABLE : answer
    } catch (error) {
      // The reason describes the operator's network, so only the log has it.
      this.#logger.warn({ err: error, image }, 'registry_unavailable')
      return UNAVAILABLE
    }
  }
}

function freshMs(answer: DigestAnswer): number {
  if ('digest' in answer) return FRESH_MS.digest
  return answer.problem === 'unavailable' ? FRESH_MS.unavailable : 0
}
