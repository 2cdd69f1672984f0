import { createHash } from 'node:crypto'

import type { Client } from '@connectrpc/connect'
import type { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import type { ServiceTokenSource } from '@slipway/shared/auth'
import { NotFound, RateLimited, Unauthenticated, Unavailable } from '@slipway/shared/errors'
import { callAsService, toDomainError } from '@slipway/shared/rpc'

import type { SpanOwner } from '../domain/span.ts'

const RESOLVE_TIMEOUT_MS = 5_000
const RETRY_AFTER_MS = 5_000
const MAX_KNOWN = 50_000
/** Unknown tokens can't make more calls than this at once; known ones don't wait for them. */
const MAX_CALLS = 64

/** Finds out whose an ingest token is. */
export interface IngestTokens {
  /**
   * Throws Unauthenticated for a token that belongs to no live deployment, and Unavailable when
   * nobody can tell: a token that was good a while ago goes on being good while the deployer can't
   * be reached.
   */
  resolve(token: string): Promise<SpanOwner>
  /**
   * The deployment has changed: what is known of its tokens is to be asked again, or is no longer
   * true.
   */
  forgetDeployment(deploymentId: string, options: { isGone: boolean }): void
  /** Events may have been missed: everything is to be asked again. */
  recheckAll(): void
}

interface KnownToken {
  readonly owner: SpanOwner
  freshUntil: number
}

/**
 * Asks the deployer, with the service's own token, and believes its answer for `cacheMs`. Denials
 * aren't remembered.
 */
export function createIngestTokens(
  workloads: Client<typeof WorkloadService>,
  serviceToken: ServiceTokenSource,
  cacheMs: number,
): IngestTokens {
  const known = new Map<string, KnownToken>()
  const asking = new Map<string, Promise<SpanOwner>>()
  let generation = 0
  let unknownCalls = 0

  async function ask(key: string, hash: Buffer): Promise<SpanOwner> {
    const askedIn = generation
    const before = known.get(key)
    try {
      const freshUntil = performance.now() + cacheMs
      const answer = await workloads.resolveIngestToken(
        { tokenSha256: hash },
        await callAsService(serviceToken, RESOLVE_TIMEOUT_MS),
      )
      const { accountId, agent, deploymentId, buildId } = answer
      const owner = { accountId, agent, deploymentId, buildId }
      // What changed since the question was asked may not be in the answer: the next request asks
      // again.
      known.set(key, { owner, freshUntil: askedIn === generation ? freshUntil : 0 })
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value ?? '')
      return owner
    } catch (error) {
      const cause = toDomainError(error)
      if (cause instanceof NotFound) {
        known.delete(key)
        throw unknownToken(cause)
      }
      if (before !== undefined && known.get(key) === before) return before.owner
      throw new Unavailable('deployer_unavailable', 'it can not be told now whose token this is', {
        cause,
        retryAfterMs: RETRY_AFTER_MS,
      })
    } finally {
      asking.delete(key)
    }
  }

  return {
    async resolve(token) {
      if (token === '') throw unknownToken()
      const hash = createHash('sha256').update(token).digest()
      const key = hash.toString('base64')
      const found = known.get(key)
      if (found !== undefined && found.freshUntil > performance.now()) return found.owner
      const running = asking.get(key)
      if (running !== undefined) return await running
      const isUnknown = found === undefined
      if (isUnknown && unknownCalls >= MAX_CALLS) {
        throw new RateLimited('too_many_tokens', 'too many tokens at once', {
          retryAfterMs: RETRY_AFTER_MS,
        })
      }
      if (isUnknown) unknownCalls += 1
      try {
        const answer = ask(key, hash)
        asking.set(key, answer)
        return await answer
      } finally {
        if (isUnknown) unknownCalls -= 1
      }
    },
    forgetDeployment(deploymentId, { isGone }) {
      generation += 1
      for (const [key, entry] of known) {
        if (entry.owner.deploymentId !== deploymentId) continue
        if (isGone) known.delete(key)
        else entry.freshUntil = 0
      }
    },
    recheckAll() {
      generation += 1
      for (const entry of known.values()) entry.freshUntil = 0
    },
  }
}

function unknownToken(cause?: unknown): Unauthenticated {
  return new Unauthenticated('ingest_token_unknown', 'the ingest token is not valid', { cause })
}
