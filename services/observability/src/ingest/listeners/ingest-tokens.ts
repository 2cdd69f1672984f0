import { createHash } from 'node:crypto'

import { durationMs } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import type { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import type { ServiceTokenSource } from '@slipway/shared/auth'
import { NotFound, RateLimited, Unauthenticated, Unavailable } from '@slipway/shared/errors'
import { FairQueue } from '@slipway/shared/fair-queue'
import { LoadingCache } from '@slipway/shared/loading-cache'
import { callAsService, toDomainError } from '@slipway/shared/rpc'

import type { SpanOwner } from '../../domain/span.ts'

const RESOLVE_TIMEOUT_MS = 5_000
const RETRY_AFTER_MS = 5_000
const MAX_KNOWN = 50_000
/**
 * Concurrent calls for unknown tokens, where each sender's address counts as a user. Known tokens
 * don't count.
 */
const UNKNOWN_CALLS = { total: 64, perUser: 16, perAccount: 64 }

/** Resolves ingest tokens to the deployments that they belong to. */
export interface IngestTokens {
  /**
   * Throws Unauthenticated for a token that belongs to no live deployment. While the deployer is
   * unreachable, a token that was valid recently stays valid; for any other it throws Unavailable.
   */
  resolve(token: string | undefined, address: string): Promise<SpanOwner>
  /** None of the deployment's known tokens is valid: drops them. */
  forgetDeployment(deploymentId: string): void
  /**
   * The deployment has changed: checks its tokens again. A token that can't be checked is valid
   * until `validUntil` at most, in milliseconds since 1970.
   */
  recheckDeployment(deploymentId: string, validUntil?: number): void
  /** Events may have been missed: checks every token again. */
  recheckAll(): void
}

interface KnownToken {
  readonly owner: SpanOwner
  /** How long the token was still valid when the deployer was asked; infinite if not replaced. */
  readonly validMs: number
}

/**
 * Calls the deployer, with the service's own token, and caches its response for `cacheMs`. Unknown
 * tokens are not cached.
 */
export function createIngestTokens(
  workloads: Client<typeof WorkloadService>,
  serviceToken: ServiceTokenSource,
  cacheMs: number,
): IngestTokens {
  const known = new LoadingCache<KnownToken>({
    maxEntries: MAX_KNOWN,
    freshUntil: (_, askedAt) => askedAt + cacheMs,
    usableUntil: ({ validMs }, askedAt) => askedAt + validMs,
    groupOf: ({ owner }) => owner.deploymentId,
    servesStaleOn: (error) => error instanceof Unavailable,
  })
  const unknownCalls = new FairQueue({
    running: UNKNOWN_CALLS,
    refusal: () =>
      new RateLimited(
        'too_many_tokens',
        'too many concurrent requests with unknown ingest tokens; retry later',
        { retryAfterMs: RETRY_AFTER_MS },
      ),
  })

  async function callDeployer(tokenSha256: Buffer): Promise<KnownToken> {
    try {
      const answer = await workloads.resolveIngestToken(
        { tokenSha256 },
        await callAsService(serviceToken, RESOLVE_TIMEOUT_MS),
      )
      const { accountId, sourceAccountId, deployedBy, agent, deploymentId, buildId } = answer
      const isOwn = sourceAccountId === '' || sourceAccountId === accountId
      const agentId = isOwn ? answer.agentId : `${sourceAccountId}/${answer.agentId}`
      return {
        owner: { accountId, deployedBy, agent, agentId, deploymentId, buildId },
        validMs: answer.validFor ? durationMs(answer.validFor) : Infinity,
      }
    } catch (error) {
      const cause = toDomainError(error)
      if (cause instanceof NotFound) throw unknownToken(cause)
      throw new Unavailable(
        'deployer_unavailable',
        'the ingest token cannot be checked now; retry later',
        {
          cause,
          retryAfterMs: RETRY_AFTER_MS,
        },
      )
    }
  }

  async function callForUnknown(tokenSha256: Buffer, address: string): Promise<KnownToken> {
    using _call = unknownCalls.take({ user: address })
    return await callDeployer(tokenSha256)
  }

  return {
    async resolve(token, address) {
      if (token === undefined || token === '') throw missingToken()
      const hash = createHash('sha256').update(token).digest()
      const key = hash.toString('base64')
      const { owner } =
        known.get(key) ??
        (await known.load(key, (isKnown) =>
          isKnown ? callDeployer(hash) : callForUnknown(hash, address),
        ))
      return owner
    },
    forgetDeployment: (deploymentId) => known.invalidate(deploymentId),
    recheckDeployment(deploymentId, validUntil = Infinity) {
      known.expire(deploymentId, validUntil - Date.now())
    },
    recheckAll: () => known.expire(),
  }
}

function missingToken(): Unauthenticated {
  return new Unauthenticated(
    'ingest_token_missing',
    'the request has no ingest token; send it as the header "authorization: Bearer TOKEN", for ' +
      'example with OTEL_EXPORTER_OTLP_HEADERS',
  )
}

function unknownToken(cause: unknown): Unauthenticated {
  return new Unauthenticated(
    'ingest_token_unknown',
    'the ingest token is not valid: it was replaced, or its agent is no longer deployed',
    { cause },
  )
}
