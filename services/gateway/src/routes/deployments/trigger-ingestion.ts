import { Type } from 'typebox'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { Text } from '../../http/schemas/kinds.ts'
import { Namespace } from '../names.ts'
import { OwnerQuery, Triggered } from './workload-schemas.ts'

/** `POST /deployments/{namespace}/ingestion/{ingestion}/trigger`: runs a manual ingestion now. */
export function addTriggerIngestionRoute(app: App, { clients }: GatewayContext): void {
  app.post(
    '/api/v1/deployments/:namespace/ingestion/:ingestion/trigger',
    {
      schema: {
        operationId: 'triggerIngestion',
        summary: 'Trigger an ingestion job',
        description:
          'The number of runs of an account at the same time is limited (429). A finished run is ' +
          'kept for an hour, and the last 10 of each ingestion.',
        tags: ['deployments'],
        params: Type.Object({
          namespace: Namespace,
          ingestion: Text('Name of the ingestion in the agent spec'),
        }),
        querystring: OwnerQuery,
        response: {
          200: Triggered,
          ...problems(400, 401, 403, 404, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { namespace, ingestion } = request.params
      const { account } = request.query
      const job = await clients.workloads.triggerIngestion(
        { account, namespace, ingestion },
        callFor(request, reply),
      )
      return { status: 'triggered' as const, job_name: job.jobName, namespace: job.namespace }
    },
  )
}
