import { Conflict } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import type { ClusterObjectRow } from '../db/inventory.ts'
import type { ResourceResult } from '../domain/states.ts'
import { applyObject, type AppliedState } from '../kubernetes/apply.ts'
import { KubernetesError } from '../kubernetes/kubernetes-error.ts'
import { keyOf, keyText, type KubernetesObject } from '../kubernetes/objects.ts'
import { redactSecrets } from '../kubernetes/redact.ts'
import type { RenderedObject } from '../manifests/render.ts'

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
 * Applies objects side by side. One that is refused doesn't stop the others; throws Unavailable only when the API server
 * can't be reached, or when the signal fires.
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
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
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
