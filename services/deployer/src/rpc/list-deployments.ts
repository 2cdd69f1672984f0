import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  ListDeploymentsResponseSchema,
  type DeploymentService,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { Violations } from '@slipway/shared/errors'
import { readPageSize, readPageToken, toPageToken } from '@slipway/shared/paging'

import type { DeployerContext } from '../context.ts'
import { viewDeployments } from '../db/deployment-views.ts'
import { PAGE_SIZES } from '../domain/page-size.ts'
import { toDeployment } from './deployment-mapping.ts'

/** Lists the live deployments of an account. */
export function listDeployments(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['listDeployments'] {
  return async ({ account, pageSize, pageToken }, call) => {
    new Violations().requireFilled({ account }).throwIfAny()
    const size = readPageSize(pageSize, PAGE_SIZES)
    const afterAgent = readPageToken(pageToken, (name) => (name.includes('\0') ? undefined : name))
    const page = { afterAgent, limit: size + 1 }
    const { accountId } = await context.memberships.require(call, account)
    const found = await viewDeployments(context.db, accountId, page)
    const shown = found.slice(0, size)
    return create(ListDeploymentsResponseSchema, {
      deployments: shown.map((view) => toDeployment(view, { withPods: false })),
      nextPageToken: found.length > size ? toPageToken(shown.at(-1)?.deployment.agent ?? '') : '',
    })
  }
}
