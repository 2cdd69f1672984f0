import type { Event } from '@slipway/proto/slipway/events/v1/event'
import { transaction, type Database } from '@slipway/shared/db'
import { applyOnce, startDurableConsumer, type Nats } from '@slipway/shared/events'
import type { Logger } from '@slipway/shared/logger'

import { deleteDeployments, putDeployment } from '../db/deployments.ts'
import type { ObservabilitySchema } from '../db/tables.ts'
import { deploymentOf } from './deployment-of.ts'

const DURABLE = 'observability-deployments'

/** Starts the consumer that keeps the index of deployments up to date. */
export function indexDeployments(
  db: Database<ObservabilitySchema>,
  nats: Nats,
  logger: Logger,
): AsyncDisposable {
  return startDurableConsumer({
    nats,
    logger,
    durable: DURABLE,
    filterSubjects: [
      'slipway.deployment.>',
      'slipway.agent.*.*.deleted',
      'slipway.account.*.*.deleted',
    ],
    handle: async (event) =>
      isDeletion(event) ? await applyDeletion(db, event) : await applyDeploymentEvent(db, event),
  })
}

function isDeletion({ payload }: Event): boolean {
  return payload.case === 'agentDeleted' || payload.case === 'accountDeleted'
}

async function applyDeletion(
  db: Database<ObservabilitySchema>,
  { accountId, payload }: Event,
): Promise<void> {
  const agent = payload.case === 'agentDeleted' ? payload.value.agent : undefined
  await deleteDeployments(db, { accountId, agent })
}

/** Applies one event, unless it or a later event of the deployment has been applied. */
async function applyDeploymentEvent(
  db: Database<ObservabilitySchema>,
  event: Event,
): Promise<void> {
  const fact = deploymentOf(event)
  if (fact === undefined) return
  await transaction(db, async (trx) => {
    if (!(await applyOnce(trx, DURABLE, event))) return
    await putDeployment(trx, {
      deployment_id: event.aggregateId,
      account_id: event.accountId,
      agent: fact.deployment.agent,
      build_id: fact.deployment.buildId,
      revision: fact.deployment.revision,
      k8s_namespace: fact.deployment.k8sNamespace,
      is_live: fact.isLive,
    })
  })
}
