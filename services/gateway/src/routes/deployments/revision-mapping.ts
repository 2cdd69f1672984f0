import { durationMs } from '@bufbuild/protobuf/wkt'
import {
  RevisionState,
  type GetRevisionResponse,
  type Revision,
} from '@slipway/proto/slipway/deployer/v1/revision'

import { toTimeText } from '../../http/requests/time.ts'
import type { RevisionStateName } from './choices.ts'
import type { Names } from './mapping.ts'

const REVISION_STATE_NAMES: Names<typeof RevisionStateName> = {
  [RevisionState.APPLYING]: 'applying',
  [RevisionState.APPLIED]: 'applied',
  [RevisionState.PARTIAL]: 'partial',
  [RevisionState.FAILED]: 'failed',
  [RevisionState.SUPERSEDED]: 'superseded',
}

/** A revision in the REST API. */
export function toRevisionJson(revision: Revision) {
  return {
    revision: revision.revision,
    state: REVISION_STATE_NAMES[revision.state] ?? 'applying',
    build_id: revision.buildId,
    ...(revision.version === undefined ? {} : { version: revision.version }),
    created_at: toTimeText(revision.createTime),
    created_by: revision.createdBy,
    ...(revision.createdByToken && {
      created_by_token: { id: revision.createdByToken.id, name: revision.createdByToken.name },
    }),
    errors: revision.errors,
    ...(revision.reason === '' ? {} : { reason: revision.reason }),
    ...(revision.rolledBackTo === undefined ? {} : { rolled_back_to: revision.rolledBackTo }),
    live: revision.live,
    restorable: revision.restorable,
    was_ready: revision.wasReady,
    ...(revision.readyTime === undefined ? {} : { ready_at: toTimeText(revision.readyTime) }),
    ...(revision.readyDuration === undefined
      ? {}
      : { ready_seconds: durationMs(revision.readyDuration) / 1000 }),
    ...(revision.readySinceTime === undefined
      ? {}
      : { ready_since: toTimeText(revision.readySinceTime) }),
    ...(revision.readinessUnknown ? { readiness_unknown: true } : {}),
  }
}

/** A revision with its settings in the REST API. */
export function toRevisionWithSettingsJson({ revision, settings }: GetRevisionResponse) {
  if (revision === undefined) throw new Error('the response has no revision')
  return {
    ...toRevisionJson(revision),
    ...(settings && {
      settings: {
        interfaces: settings.interfaces,
        schedules: settings.schedules,
        overrides: JSON.parse(settings.overridesJson) as Record<string, unknown>,
        credentials: settings.credentialKeys,
      },
    }),
  }
}
