import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { nextCronTime } from '@slipway/agent-spec'
import {
  IngestionRunSchema,
  IngestionRunState,
  IngestionSchema,
  IngestionTrigger,
  type Ingestion,
  type IngestionRun,
} from '@slipway/proto/slipway/deployer/v1/ingestion'

import type { IngestionRunRow } from '../db/ingestion-runs.ts'
import type { RunState } from '../domain/ingestion-run.ts'
import { SCHEDULE_TIME_ZONE } from '../manifests/jobs.ts'
import type { LiveIngestion, Trigger } from '../operations/find-ingestion.ts'

const TRIGGERS: Readonly<Record<Trigger['type'], IngestionTrigger>> = {
  schedule: IngestionTrigger.SCHEDULE,
  startup: IngestionTrigger.STARTUP,
  manual: IngestionTrigger.MANUAL,
  webhook: IngestionTrigger.WEBHOOK,
}

const STATES: Readonly<Record<RunState, IngestionRunState>> = {
  pending: IngestionRunState.PENDING,
  running: IngestionRunState.RUNNING,
  succeeded: IngestionRunState.SUCCEEDED,
  failed: IngestionRunState.FAILED,
  canceled: IngestionRunState.CANCELED,
}

/** Converts an ingestion and its latest run to their proto message. */
export function toIngestion(
  { name, component, trigger, deployment }: LiveIngestion,
  lastRun: IngestionRunRow | undefined,
): Ingestion {
  const schedule = trigger.type === 'schedule' ? (trigger.schedule ?? '') : ''
  const suspended = deployment.suspended_ingestions.includes(component)
  const next = schedule === '' || suspended ? undefined : nextCronTime(schedule, new Date())
  return create(IngestionSchema, {
    name,
    trigger: TRIGGERS[trigger.type] ?? IngestionTrigger.UNSPECIFIED,
    schedule,
    timeZone: schedule === '' ? '' : SCHEDULE_TIME_ZONE,
    suspended,
    ...(next && { nextRunTime: timestampFromDate(next) }),
    ...(lastRun && { lastRun: toRun(lastRun) }),
  })
}

/** Converts a run to its proto message. */
export function toRun(row: IngestionRunRow, lastLines: readonly string[] = []): IngestionRun {
  return create(IngestionRunSchema, {
    name: row.name,
    trigger: TRIGGERS[row.trigger] ?? IngestionTrigger.UNSPECIFIED,
    state: STATES[row.state],
    reason: row.reason,
    revision: row.revision,
    createTime: timestampFromDate(row.create_time),
    ...(row.start_time && { startTime: timestampFromDate(row.start_time) }),
    ...(row.end_time && { endTime: timestampFromDate(row.end_time) }),
    ...(row.exit_code !== null && { exitCode: row.exit_code }),
    attempts: row.attempts,
    pod: row.pod,
    lastLines: [...lastLines],
  })
}
