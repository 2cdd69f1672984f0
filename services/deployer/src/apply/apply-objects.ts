import { Conflict } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import type { ClusterObjectRow } from '../db/inventory.ts'
import { keyOf, keyText, type KubernetesObject } from '../domain/kubernetes-object.ts'
import type { ResourceResult } from '../domain/states.ts'
import { applyObject, type AppliedState } from '../kubernetes/apply.ts'
import type { KubernetesClient } from '../kubernetes/client.ts'
import { isTimeout, KubernetesError } from '../kubernetes/kubernetes-error.ts'
import { readObject } from '../kubernetes/read.ts'
import { withoutNetwork } from '../kubernetes/network-words.ts'
import { redactSecrets } from '../kubernetes/redact.ts'
import { settleEach } from '../kubernetes/settle-each.ts'
import type { RenderedObject } from '../manifests/render.ts'

const TIMED_OUT = 'Timeout: the cluster did not respond in time'

/** The outcome of applying one object. */
export interface ObjectOutcome {
  readonly result: ResourceResult
  /** Undefined when the object was rejected. */
  readonly state: AppliedState | undefined
  readonly rendered: RenderedObject
}

/** Options for applying a wave of objects. */
export interface WaveOptions {
  /** The objects after the last apply, by key. */
  readonly inventory: ReadonlyMap<string, ClusterObjectRow>
  /** Values to redact from messages. */
  readonly secretValues: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Applies objects, some in parallel. An object that is rejected or times out doesn't stop the
 * others. Throws Unavailable when the API server can't be reached, and the signal's reason when the
 * signal fires.
 */
export async function applyWave(
  { kubernetes }: DeployerContext,
  objects: readonly RenderedObject[],
  options: WaveOptions,
): Promise<ObjectOutcome[]> {
  const settled = await settleEach(objects, async (rendered): Promise<ObjectOutcome> => {
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
  })
  // Errors are thrown only now: no request is running that could overwrite a later attempt's work.
  const failures = settled.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  )
  for (const failure of failures) if (!isTimeout(failure)) throw failure
  if (failures.length > 0) await requireAnswer(kubernetes, objects, options.signal)
  return settled.map((outcome, index) => {
    if (outcome.status === 'fulfilled') return outcome.value
    const rendered = objects[index]
    if (rendered === undefined) throw outcome.reason
    return { rendered, state: undefined, result: resultOf(rendered.object, 'failed', TIMED_OUT) }
  })
}

/**
 * Checks the API server after requests that timed out. Throws Unavailable when it doesn't respond
 * at all. If it does, the objects caused the timeouts, e.g. through an admission webhook that is
 * down.
 */
async function requireAnswer(
  client: KubernetesClient,
  objects: readonly RenderedObject[],
  signal: AbortSignal,
): Promise<void> {
  const name = objects[0]?.object.metadata.namespace ?? ''
  await readObject(client, { apiVersion: 'v1', kind: 'Namespace', namespace: '', name }, signal)
}

/**
 * Returns why an object was rejected, for users and without secret values. Rethrows errors that
 * aren't about the object.
 */
export function describeRefusal(error: unknown, secretValues: readonly string[]): string {
  if (error instanceof Conflict) return error.message
  if (!(error instanceof KubernetesError)) throw error
  const message = redactSecrets(withoutNetwork(error.status.message ?? ''), secretValues)
  return message === '' ? error.reason : `${error.reason}: ${message}`
}

/** Returns the result for an object. */
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
