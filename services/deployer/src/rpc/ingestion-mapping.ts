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
import { findValue, valueOf } from '@slipway/shared/enum-names'

import type { IngestionRunRow } from '../db/ingestion-runs.ts'
import { SCHEDULE_TIME_ZONE } from '../manifests/jobs.ts'
import type { LiveIngestion } from '../operations/find-ingestion.ts'

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
    trigger: findValue(IngestionTrigger, trigger.type),
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
    trigger: valueOf(IngestionTrigger, row.trigger),
    state: valueOf(IngestionRunState, row.state),
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
