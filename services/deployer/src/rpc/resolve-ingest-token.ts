import { create } from '@bufbuild/protobuf'
import { durationFromMs } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  ResolveIngestTokenResponseSchema,
  type WorkloadService,
} from '@slipway/proto/slipway/deployer/v1/workload_service'
import { invalidField, NotFound } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { findDeploymentByIngestToken } from '../db/deployments.ts'

/** Finds the deployment that an ingest token belongs to. */
export function resolveIngestToken({
  db,
}: DeployerContext): ServiceImpl<typeof WorkloadService>['resolveIngestToken'] {
  return async ({ tokenSha256 }) => {
    if (tokenSha256.length !== 32) throw invalidField('token_sha256', 'must be 32 bytes')
    const found = await findDeploymentByIngestToken(db, Buffer.from(tokenSha256))
    if (found === undefined)
      throw new NotFound('ingest_token_unknown', 'no deployment has this ingest token')
    return create(ResolveIngestTokenResponseSchema, {
      deploymentId: found.id,
      accountId: found.account_id,
      agent: found.agent,
      buildId: found.build_id,
      deployedBy: found.deployed_by,
      agentId: found.agent_id ?? '',
      sourceAccountId: found.source_account_id,
      ...(found.valid_ms !== null && { validFor: durationFromMs(found.valid_ms) }),
    })
  }
}
