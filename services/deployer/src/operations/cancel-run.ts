import { NotFound } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { findRun, storeRun, type IngestionRunRow } from '../db/ingestion-runs.ts'
import { isFinal } from '../domain/ingestion-run.ts'
import { deleteObject } from '../kubernetes/delete.ts'
import { clusterUnreachable, isBusy } from '../kubernetes/kubernetes-error.ts'
import type { LiveIngestion } from './find-ingestion.ts'

/**
 * Ends a run by deleting its Job with its pods. Returns the run, which may have ended before.
 * Throws NotFound `ingestion_run_not_found`.
 */
export async function cancelRun(
  context: DeployerContext,
  { deployment, component }: LiveIngestion,
  name: string,
  signal: AbortSignal,
): Promise<IngestionRunRow> {
  const { db, kubernetes } = context
  const find = async () => await findRun(db, deployment.id, component, name)
  const run = await find()
  if (run === undefined) {
    const message = `the ingestion has no run ${JSON.stringify(name)}`
    throw new NotFound('ingestion_run_not_found', message)
  }
  if (isFinal(run.state)) return run
  const key = { apiVersion: 'batch/v1', kind: 'Job', namespace: deployment.k8s_namespace, name }
  try {
    await deleteObject(kubernetes, key, { uid: run.job_uid, signal })
  } catch (error) {
    if (isBusy(error)) throw clusterUnreachable(error)
    throw error
  }
  const ended = { state: 'canceled', reason: 'a member canceled it', end_time: new Date() } as const
  await storeRun(db, { ...run, ...ended })
  return (await find()) ?? run
}
