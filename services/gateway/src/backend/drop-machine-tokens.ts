import { startBroadcastConsumer, type Nats } from '@slipway/shared/events/broadcast'
import type { Logger } from '@slipway/shared/logger'
import type { MachineTokenVerifier } from '@slipway/shared/machine-tokens'

/** Events after which a machine token may be invalid, or have another role. */
const SUBJECTS = [
  'slipway.account.*.*.token_revoked',
  'slipway.account.*.*.member_changed',
  'slipway.account.*.*.deleted',
]

/** Drops cached machine tokens when they may have changed, and when an event may be lost. */
export function dropMachineTokens(
  nats: Nats,
  logger: Logger,
  verifier: MachineTokenVerifier,
): AsyncDisposable {
  return startBroadcastConsumer({
    nats,
    logger,
    filterSubjects: SUBJECTS,
    onEvent: ({ accountId }) => verifier.drop(accountId),
    onReset: () => verifier.drop(),
  })
}
