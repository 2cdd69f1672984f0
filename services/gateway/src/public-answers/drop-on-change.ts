import { Code } from '@connectrpc/connect'
import { startBroadcastConsumer, type Nats } from '@slipway/shared/events'
import type { Logger } from '@slipway/shared/logger'
import { readRemoteError } from '@slipway/shared/rpc'

import type { PublicAnswers } from './public-answers.ts'

/** Events that can change a public answer. */
const SUBJECTS = ['slipway.build.>', 'slipway.version.>', 'slipway.account.>']

/** Drops public answers when the catalog reports a change, and when an event may have been lost. */
export function followCatalogChanges(
  nats: Nats,
  logger: Logger,
  answers: PublicAnswers,
): AsyncDisposable {
  return startBroadcastConsumer({
    nats,
    logger,
    filterSubjects: SUBJECTS,
    onEvent: () => answers.drop(),
    onReset: () => answers.drop(),
  })
}

/** Codes of errors after which the catalog has changed nothing. */
const REFUSALS: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.OutOfRange,
  Code.FailedPrecondition,
  Code.Unauthenticated,
  Code.PermissionDenied,
  Code.NotFound,
  Code.AlreadyExists,
  Code.Aborted,
])

/**
 * Waits for a change to the catalog and drops public answers, even when the outcome is unknown. A
 * rejected change drops nothing; otherwise anyone could empty the cache.
 */
export async function changeCatalog<Result>(
  answers: PublicAnswers,
  change: Promise<Result>,
): Promise<Result> {
  try {
    const result = await change
    answers.drop()
    return result
  } catch (error) {
    if (!isRefusal(error)) answers.drop()
    throw error
  }
}

function isRefusal(error: unknown): boolean {
  const { code, reason } = readRemoteError(error)
  // An error without a reason isn't the catalog's, so the change may have been made.
  return reason !== undefined && REFUSALS.has(code)
}
