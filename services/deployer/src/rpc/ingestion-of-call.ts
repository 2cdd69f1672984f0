import type { HandlerContext } from '@connectrpc/connect'
import { Violations } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { requireLiveDeployment } from '../db/deployments.ts'
import { requireIngestion, type LiveIngestion } from '../operations/find-ingestion.ts'

/** Finds the ingestion that a call names, after checking the caller's membership. */
export async function ingestionOfCall(
  context: DeployerContext,
  request: { readonly account: string; readonly name: string; readonly ingestion: string },
  call: HandlerContext,
): Promise<LiveIngestion> {
  const { account, name, ingestion } = request
  new Violations().requireFilled({ account, name, ingestion }).throwIfAny()
  const { accountId } = await context.memberships.require(call, account)
  const deployment = await requireLiveDeployment(context.db, accountId, name)
  return await requireIngestion(context, deployment, ingestion)
}
