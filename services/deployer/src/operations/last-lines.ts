import type { DeploymentTemplate } from '@slipway/agent-spec'

import type { DeployerContext } from '../context.ts'
import { readValuesToRedact } from '../credentials/values-to-redact.ts'
import type { IngestionRunRow } from '../db/ingestion-runs.ts'
import { readLogTail } from '../failures/log-tail.ts'
import type { LiveIngestion } from './find-ingestion.ts'

const MAX_RUNS = 10
const TIMEOUT_MS = 5_000

/**
 * Reads the last lines of the pods of the first runs, by the uids of the runs, with the
 * deployment's credentials redacted. A run whose pod no longer exists has none, and without the
 * cluster none has.
 */
export async function readLastLines(
  context: DeployerContext,
  { deployment, revision }: LiveIngestion,
  runs: readonly IngestionRunRow[],
  callSignal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const withPods = runs.slice(0, MAX_RUNS).filter(({ pod }) => pod !== '')
  if (withPods.length === 0) return new Map()
  const signal = AbortSignal.any([callSignal, AbortSignal.timeout(TIMEOUT_MS)])
  const { id, k8s_namespace: namespace } = deployment
  try {
    const template = revision.template as DeploymentTemplate
    const owner = { namespace, deploymentId: id }
    const secrets = await readValuesToRedact(context.kubernetes, owner, template, signal)
    if (secrets === undefined) return new Map()
    const read = withPods.map(async ({ job_uid: uid, pod }) => {
      // The container is named after the kind of its component.
      const source = { namespace, pod, container: 'ingestion', previous: false }
      return [uid, await readLogTail(context.kubernetes, source, secrets, signal)] as const
    })
    const settled = await Promise.allSettled(read)
    return new Map(settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])))
  } catch (error) {
    callSignal.throwIfAborted()
    context.logger.warn({ err: error, deployment_id: id }, 'last_lines_not_read')
    return new Map()
  }
}
