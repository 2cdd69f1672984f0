import { startBroadcastConsumer, type Nats } from '@slipway/shared/events'
import type { Logger } from '@slipway/shared/logger'

import type { PublicAnswers } from './source.ts'

/** Events after which a public answer may be another one. */
const SUBJECTS = ['slipway.build.>', 'slipway.version.>', 'slipway.account.>']

/** Drops public answers when the catalog tells of a change, or may have told of one unheard. */
export function followCatalogChanges(nats: Nats, logger: Logger, answers: PublicAnswers): AsyncDisposable {
  return startBroadcastConsumer({
    nats,
    logger,
    filterSubjects: SUBJECTS,
    onEvent: () => answers.drop(),
    onReset: () => answers.drop(),
  })
}

/** Makes a change to the catalog; whatever its outcome, what was read before is not shown after. */
export async function changeCatalog<Result>(answers: PublicAnswers, change: Promise<Result>): Promise<Result> {
  try {
    return await change
  } finally {
    answers.drop()
  }
}
