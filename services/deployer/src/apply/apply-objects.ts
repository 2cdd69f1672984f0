import { Conflict } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import type { ClusterObjectRow } from '../db/inventory.ts'
import { keyOf, keyText, type KubernetesObject } from '../domain/kubernetes-object.ts'
import type { ResourceResult } from '../domain/states.ts'
import { applyObject, type AppliedState } from '../kubernetes/apply.ts'
import type { KubernetesClient } from '../kubernetes/client.ts'
import { isTimeout, KubernetesError } from '../kubernetes/kubernetes-error.ts'
import { readObject } from '../kubernetes/read.ts'
import { redactSecrets } from '../kubernetes/redact.ts'
import type { RenderedObject } from '../manifests/render.ts'

const NO_ANSWER = 'Timeout: the cluster did not answer in time'

/** The result for one object, with what is remembered of it when it was accepted. */
export interface ObjectOutcome {
  readonly result: ResourceResult
  readonly state: AppliedState | undefined
  readonly rendered: RenderedObject
}

/** How a wave is applied. */
export interface WaveOptions {
  /** What is known of the objects from the last apply. */
  readonly inventory: ReadonlyMap<string, ClusterObjectRow>
  /** Values that no message may show. */
  readonly secretValues: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Applies objects side by side. One that is refused, or not answered in time, doesn't stop the
 * others; throws Unavailable only when the API server can't be reached, or when the signal fires.
 */
export async function applyWave(
  { kubernetes }: DeployerContext,
  objects: readonly RenderedObject[],
  options: WaveOptions,
): Promise<ObjectOutcome[]> {
  const settled = await Promise.allSettled(
    objects.map(async (rendered): Promise<ObjectOutcome> => {
      const { object } = rendered
      const known = options.inventory.get(keyText(keyOf(object)))
      try {
        const applied = await applyObject(kubernetes, object, {
          previous: known && previousState(known),
          signal: options.signal,
        })
        return { rendered, state: applied.state, result: resultOf(object, applied.outcome, '') }
      } catch (error) {
        const message = describeRefusal(error, options.secretValues)
        return { rendered, state: undefined, result: resultOf(object, 'failed', message) }
      }
    }),
  )
  // Only now is nothing under way any more that could write over a successor's work.
  const failures = settled.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  )
  for (const failure of failures) if (!isTimeout(failure)) throw failure
  if (failures.length > 0) await requireAnswer(kubernetes, objects, options.signal)
  return settled.map((outcome, index) => {
    if (outcome.status === 'fulfilled') return outcome.value
    const rendered = objects[index]
    if (rendered === undefined) throw outcome.reason
    return { rendered, state: undefined, result: resultOf(rendered.object, 'failed', NO_ANSWER) }
  })
}

/**
 * After objects that were not answered in time: throws Unavailable when the API server doesn't
 * answer at all. When it does, it is something about the objects that it waits for, e.g. a webhook
 * that is away.
 */
async function requireAnswer(
  client: KubernetesClient,
  objects: readonly RenderedObject[],
  signal: AbortSignal,
): Promise<void> {
  const name = objects[0]?.object.metadata.namespace ?? ''
  await readObject(client, { apiVersion: 'v1', kind: 'Namespace', namespace: '', name }, signal)
}

/** Why an object could not be applied, fit for users; rethrows what is no verdict on the object. */
export function describeRefusal(error: unknown, secretValues: readonly string[]): string {
  if (error instanceof Conflict) return error.message
  if (!(error instanceof KubernetesError)) throw error
  const message = error.status.message ?? ''
  return message === '' ? error.reason : `${error.reason}: ${redactSecrets(message, secretValues)}`
}

/** The result for an object. */
export function resultOf(
  { kind, metadata }: KubernetesObject,
  status: ResourceResult['status'],
  message: string,
): ResourceResult {
  return { kind, name: metadata.name, namespace: metadata.namespace ?? '', status, message }
}

function previousState(row: ClusterObjectRow): AppliedState | undefined {
  if (row.uid === '') return undefined
  return {
    uid: row.uid,
    resourceVersion: row.resource_version,
    generation: row.generation,
    managedTime: row.managed_time,
  }
}
