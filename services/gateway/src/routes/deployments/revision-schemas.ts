import { Type } from 'typebox'

import { about, AnyText, Count, FreeObject, TextMap, Time } from '../../http/schemas/kinds.ts'
import { BuildId, Cursor, UserId, VersionName } from '../names.ts'
import { AgentPath } from '../path-parameters.ts'
import { RevisionStateName } from './choices.ts'
import { revisionExample, revisionListExample } from './examples.ts'

/** Path parameters of a revision. */
export const RevisionPath = Type.Interface([AgentPath], {
  revision: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Its number' }),
})

const RevisionSettings = Type.Object(
  {
    interfaces: Type.Array(Type.String(), { description: 'Its interfaces' }),
    schedules: TextMap('Cron schedules by ingestion name'),
    overrides: FreeObject('Values by path of the template'),
    credentials: Type.Array(Type.String(), {
      description: 'Names of the credentials',
    }),
  },
  {
    title: 'RevisionSettings',
    description: 'How it was deployed; not in lists',
  },
)

export const Revision = Type.Object(
  {
    revision: Type.Integer({ description: 'Its number' }),
    state: RevisionStateName,
    build_id: BuildId,
    version: Type.Optional(about(VersionName, 'Version of the build')),
    created_at: Time('When it was created'),
    created_by: about(UserId, 'The user who created it'),
    created_by_token: Type.Optional(
      Type.Object(
        { id: AnyText('Id of the token'), name: AnyText('What it is for') },
        {
          title: 'RevisionToken',
          description: 'The machine token that created it',
        },
      ),
    ),
    errors: Type.Array(Type.String(), { description: 'Problems as `Kind/name: reason`' }),
    reason: Type.Optional(
      AnyText('Why its pods are not ready, or were not when another revision replaced it'),
    ),
    rolled_back_to: Type.Optional(
      Type.Integer({ description: 'The revision that this one is a copy of' }),
    ),
    live: Type.Boolean({ description: 'Whether it is in the cluster' }),
    restorable: Type.Boolean({ description: 'Whether a rollback can restore it' }),
    was_ready: Type.Boolean({
      description: "Whether it was ever ready; less than 10 seconds until a failure don't count",
    }),
    ready_at: Type.Optional(Time('When it first became ready')),
    ready_seconds: Type.Optional(
      Type.Number({
        description: 'For how long it was ready, in total, before `ready_since`',
      }),
    ),
    ready_since: Type.Optional(Time('Since when it is ready; absent if it is not')),
    readiness_unknown: Type.Optional(
      Type.Boolean({
        description: 'It is older than the recording of readiness, and counts as ready',
      }),
    ),
    settings: Type.Optional(RevisionSettings),
  },
  {
    title: 'Revision',
    description: 'A version of the configuration of a deployment',
    examples: [revisionExample],
  },
)

export const RevisionList = Type.Object(
  {
    revisions: Type.Array(Revision, { description: 'Newest first' }),
    count: Count('Number of revisions in the response'),
    next_cursor: Type.Optional(Cursor),
  },
  {
    title: 'RevisionList',
    description: 'A page of revisions',
    examples: [revisionListExample],
  },
)
