import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  ListIngestionRunsResponseSchema,
  type IngestionService,
} from '@slipway/proto/slipway/deployer/v1/ingestion_service'
import { readPageSize, readPageToken, toPageToken, type PageSizes } from '@slipway/shared/paging'

import { callOwner } from '../access/call-queues.ts'
import type { DeployerContext } from '../context.ts'
import { listRunsBefore, type IngestionRunRow, type RunPosition } from '../db/ingestion-runs.ts'
import { readLastLines } from '../operations/last-lines.ts'
import { toRun } from './ingestion-mapping.ts'
import { ingestionOfCall } from './ingestion-of-call.ts'

const PAGE_SIZES: PageSizes = { usual: 20, max: 100 }

/** Lists the runs of an ingestion, newest first. */
export function listIngestionRuns(
  context: DeployerContext,
): ServiceImpl<typeof IngestionService>['listIngestionRuns'] {
  return async (request, call) => {
    const limit = readPageSize(request.pageSize, PAGE_SIZES)
    const before = readPageToken(request.pageToken, positionOf)
    const ingestion = await ingestionOfCall(context, request, call)
    const { deployment, component } = ingestion
    // Logs are read over the same connections as streams of them.
    using _slot = context.streams.take(callOwner(call, deployment.account_id))
    const page = { limit: limit + 1, ...(before && { before }) }
    const rows = await listRunsBefore(context.db, deployment.id, component, page)
    const shown = rows.slice(0, limit)
    const lines = await readLastLines(context, ingestion, shown, call.signal)
    const last = shown.at(-1)
    return create(ListIngestionRunsResponseSchema, {
      runs: shown.map((row) => toRun(row, lines.get(row.job_uid))),
      nextPageToken: rows.length > limit && last ? toPageToken(textOf(last)) : '',
    })
  }
}

function textOf({ create_time: time, job_uid: uid }: IngestionRunRow): string {
  return `${time.getTime()} ${uid}`
}

function positionOf(position: string): RunPosition | undefined {
  const [, time, uid] = /^(\d{1,15}) ([\w-]{1,64})$/.exec(position) ?? []
  return time === undefined || uid === undefined ? undefined : { time: new Date(Number(time)), uid }
}
