import { Code } from '@connectrpc/connect'
import { startBroadcastConsumer, type Nats } from '@slipway/shared/events'
import type { Logger } from '@slipway/shared/logger'
import { readRemoteError } from '@slipway/shared/rpc'

import type { PublicAnswers } from './public-answers.ts'

/** Events after which a public answer may be another one. */
const SUBJECTS = ['slipway.build.>', 'slipway.version.>', 'slipway.account.>']

/** Drops public answers when the catalog tells of a change, or may have told of one unheard. */
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

/** With these the catalog says that it changed nothing. */
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
 * Makes a change to the catalog; what was read before is not shown after. Nor is it when nobody
 * knows whether the change was made. One that the catalog refused leaves what is in memory alone:
 * anybody may ask for those.
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
  // Without a reason it isn't the catalog's own word.
  return reason !== undefined && REFUSALS.has(code)
}
