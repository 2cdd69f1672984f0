import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  ComponentFailureSchema,
  type ComponentFailure as ComponentFailureMessage,
} from '@slipway/proto/slipway/deployer/v1/component_failure'

import type { ComponentFailure } from '../domain/component-failure.ts'

/** Converts the failure of a component to its proto message. */
export function toFailure(failure: ComponentFailure): ComponentFailureMessage {
  const { exitCode, since, event, isPreviousLog, logLines, next, logSteps, ...same } = failure
  return create(ComponentFailureSchema, {
    ...same,
    logLines: [...logLines],
    previousLog: isPreviousLog,
    next: [...next],
    logSteps: [...logSteps],
    ...(exitCode !== undefined && { exitCode }),
    ...(since && { since: timestampFromDate(since) }),
    ...(event && {
      event: {
        reason: event.reason,
        message: event.message,
        count: event.count,
        firstTime: timestampFromDate(event.firstTime),
        lastTime: timestampFromDate(event.lastTime),
      },
    }),
  })
}

/** A state with the reason for it: of a component, or of the whole deployment. */
interface Explained {
  readonly reason: string
}

/**
 * Gives components, and their deployment, the reasons of their failures, which say more than the
 * stored ones.
 */
export function withReasons<Whole extends Explained, Part extends Explained & { name: string }>(
  whole: Whole,
  components: readonly Part[],
  failures: readonly ComponentFailure[],
): { readonly whole: Whole; readonly components: Part[] } {
  const reasons = new Map(
    failures.map(({ component, reason, message }) => [component, `${reason}: ${message}`]),
  )
  const decisive = components.find(
    ({ name, reason }) => reasons.has(name) && reason === whole.reason,
  )
  return {
    whole: { ...whole, reason: reasons.get(decisive?.name ?? '') ?? whole.reason },
    components: components.map((each) => ({
      ...each,
      reason: reasons.get(each.name) ?? each.reason,
    })),
  }
}
