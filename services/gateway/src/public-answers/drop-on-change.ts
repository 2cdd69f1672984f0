import { Code } from '@connectrpc/connect'
import type { Event } from '@slipway/proto/slipway/events/v1/event'
import { startBroadcastConsumer, type Nats } from '@slipway/shared/events/broadcast'
import type { Logger } from '@slipway/shared/logger'
import { readRemoteError } from '@slipway/shared/rpc'

import type { PublicAnswers } from './public-answers.ts'

/** Events that can change a public answer. Only members see members and unpublished builds. */
const SUBJECTS = [
  'slipway.build.*.*.registered',
  'slipway.version.>',
  'slipway.account.*.*.renamed',
  'slipway.account.*.*.deleted',
]

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
    onEvent: (event) => {
      if (isPublicChange(event)) answers.drop()
    },
    onReset: () => answers.drop(),
  })
}

/** Whether an event can change a public answer. */
export function isPublicChange({ payload }: Pick<Event, 'payload'>): boolean {
  return payload.case !== 'buildRegistered' || payload.value.isPublished !== false
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
 * rejected change drops nothing, nor does one with a result that isn't public: otherwise anyone
 * could empty the cache.
 */
export async function changeCatalog<Result>(
  answers: PublicAnswers,
  change: Promise<Result>,
  isPublic: (result: Result) => boolean = () => true,
): Promise<Result> {
  try {
    const result = await change
    if (isPublic(result)) answers.drop()
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
