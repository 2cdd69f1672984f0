import type { PlannedObject } from '../db/inventory.ts'
import type { RenderedObject } from '../manifests/render.ts'

/** Returns what the inventory keeps of an object that the cluster may not have yet. */
export function plannedObject({ component, object }: RenderedObject): PlannedObject {
  const { apiVersion, kind, metadata } = object
  return { component, apiVersion, kind, name: metadata.name }
}
