import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import type { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { ListRevisionsResponseSchema } from '@slipway/proto/slipway/deployer/v1/revision'
import { Violations } from '@slipway/shared/errors'
import { readPageSize, readPageToken, toPageToken } from '@slipway/shared/paging'

import type { DeployerContext } from '../context.ts'
import { requireLiveDeployment } from '../db/deployments.ts'
import { listRevisionsBefore } from '../db/revision-lists.ts'
import { PAGE_SIZES } from '../domain/page-size.ts'
import { toRevision } from './deployment-mapping.ts'

const NEWEST = 2 ** 31 - 1

/** Lists the revisions of a live deployment, newest first. */
export function listRevisions(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['listRevisions'] {
  return async ({ account, name, pageSize, pageToken }, call) => {
    new Violations().requireFilled({ account, name }).throwIfAny()
    const limit = readPageSize(pageSize, PAGE_SIZES)
    const before = readPageToken(pageToken, revisionOf) ?? NEWEST
    const { accountId } = await context.memberships.require(call, account)
    const deployment = await requireLiveDeployment(context.db, accountId, name)
    const rows = await listRevisionsBefore(context.db, deployment.id, { before, limit: limit + 1 })
    const shown = rows.slice(0, limit)
    return create(ListRevisionsResponseSchema, {
      revisions: shown.map((row) => toRevision(row, deployment)),
      nextPageToken: rows.length > limit ? toPageToken(String(shown.at(-1)?.revision ?? 0)) : '',
    })
  }
}

function revisionOf(position: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(position) ? Number(position) : undefined
}
