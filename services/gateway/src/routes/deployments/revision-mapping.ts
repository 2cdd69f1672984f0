import { durationMs } from '@bufbuild/protobuf/wkt'
import {
  RevisionState,
  type GetRevisionResponse,
  type Revision,
} from '@slipway/proto/slipway/deployer/v1/revision'
import { nameOf } from '@slipway/shared/enum-names'

import { toTimeText } from '../../http/requests/time.ts'

/** A revision in the REST API. */
export function toRevisionJson(revision: Revision) {
  return {
    revision: revision.revision,
    state: nameOf(RevisionState, revision.state) ?? 'applying',
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
