import {
  IngestionRunState,
  IngestionTrigger,
  type Ingestion as IngestionMessage,
  type IngestionRun as IngestionRunMessage,
} from '@slipway/proto/slipway/deployer/v1/ingestion'
import { nameOf, namesOf } from '@slipway/shared/enum-names'
import { Type } from 'typebox'

import { HttpProblem } from '../../http/problem.ts'
import { about, AnyText, Choice, Count, Text, Time } from '../../http/schemas/kinds.ts'
import { toTimeText } from '../../http/requests/time.ts'
import { Cursor } from '../names.ts'
import { AgentPath } from '../path-parameters.ts'
import {
  ingestionExample,
  ingestionListExample,
  runExample,
  runListExample,
} from './ingestion-examples.ts'

/** Path parameters of an ingestion. */
export const IngestionPath = Type.Interface([AgentPath], {
  ingestion: Text('Name of the ingestion in the agent spec'),
})

/** Path parameters of a run of an ingestion. */
export const IngestionRunPath = Type.Interface([IngestionPath], { run: Text('Name of the run') })

/** Pagination of runs. */
export const RunPageQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'Maximum number of runs in the response',
  }),
  cursor: Type.Optional(about(Cursor, 'next_cursor of the previous page')),
})

export const IngestionRun = Type.Object(
  {
    name: AnyText('Name of the run and of its Kubernetes Job'),
    trigger: Choice(['schedule', 'startup', 'manual'], {
      description: 'What started it; startup is a new revision',
    }),
    state: Choice(namesOf(IngestionRunState), {
      description: 'pending until a pod has started; the last three are final',
    }),
    reason: Type.Optional(AnyText('Why it has not started, has failed or was canceled')),
    revision: Count('The live revision at that time'),
    created_at: Time('When it was created'),
    started_at: Type.Optional(Time('When its first pod started')),
    ended_at: Type.Optional(Time('When it ended')),
    exit_code: Type.Optional(Type.Integer({ description: 'Exit code of its last attempt' })),
    attempts: Count('Number of pods that were started, at most 4'),
    pod: Type.Optional(AnyText('Name of its last pod')),
    last_lines: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "The end of that pod's log, without credentials: at most 20 lines and 4 KiB. Only of " +
          'the first 10 runs of a list, while the cluster has the pod',
      }),
    ),
  },
  { title: 'IngestionRun', description: 'A run of an ingestion', examples: [runExample] },
)

export const IngestionRunList = Type.Object(
  {
    runs: Type.Array(IngestionRun, { description: 'Newest first' }),
    count: Count('Number of runs in the response'),
    next_cursor: Type.Optional(Cursor),
  },
  { title: 'IngestionRunList', description: 'A page of runs', examples: [runListExample] },
)

export const Ingestion = Type.Object(
  {
    name: AnyText('Its name in the agent spec'),
    trigger: Choice(namesOf(IngestionTrigger), {
      description: 'What starts its runs',
    }),
    schedule: Type.Optional(AnyText('Cron schedule')),
    time_zone: Type.Optional(AnyText('Always UTC')),
    suspended: Type.Boolean({ description: 'Whether the schedule is suspended' }),
    next_run_at: Type.Optional(Time('When the schedule is next due')),
    last_run: Type.Optional(about(IngestionRun, 'Its latest run')),
  },
  {
    title: 'Ingestion',
    description: 'An ingestion of a deployment',
    examples: [ingestionExample],
  },
)

export const IngestionList = Type.Object(
  {
    ingestions: Type.Array(Ingestion, { description: 'Sorted by name' }),
    count: Count('Number of ingestions'),
  },
  {
    title: 'IngestionList',
    description: 'The ingestions of a deployment',
    examples: [ingestionListExample],
  },
)

/** An ingestion in the REST API. */
export function toIngestionJson(ingestion: IngestionMessage | undefined) {
  if (ingestion === undefined) throw internalError()
  const { nextRunTime, lastRun } = ingestion
  return {
    name: ingestion.name,
    trigger: nameOf(IngestionTrigger, ingestion.trigger) ?? 'manual',
    ...(ingestion.schedule === ''
      ? {}
      : { schedule: ingestion.schedule, time_zone: ingestion.timeZone }),
    suspended: ingestion.suspended,
    ...(nextRunTime && { next_run_at: toTimeText(nextRunTime) }),
    ...(lastRun && { last_run: toRunJson(lastRun) }),
  }
}

/** A run of an ingestion in the REST API. */
export function toRunJson(run: IngestionRunMessage | undefined) {
  if (run === undefined) throw internalError()
  const trigger = nameOf(IngestionTrigger, run.trigger)
  return {
    name: run.name,
    trigger: trigger === undefined || trigger === 'webhook' ? ('manual' as const) : trigger,
    state: nameOf(IngestionRunState, run.state) ?? 'pending',
    ...(run.reason === '' ? {} : { reason: run.reason }),
    revision: run.revision,
    created_at: toTimeText(run.createTime),
    ...(run.startTime && { started_at: toTimeText(run.startTime) }),
    ...(run.endTime && { ended_at: toTimeText(run.endTime) }),
    ...(run.exitCode === undefined ? {} : { exit_code: run.exitCode }),
    attempts: run.attempts,
    ...(run.pod === '' ? {} : { pod: run.pod }),
    ...(run.lastLines.length === 0 ? {} : { last_lines: run.lastLines }),
  }
}

function internalError(): HttpProblem {
  return new HttpProblem(500, 'internal_server_error', 'internal error')
}
