import { create } from '@bufbuild/protobuf'
import {
  PlannedAction as PlannedActionMessage,
  PlannedObjectSchema,
  type PlannedObject,
} from '@slipway/proto/slipway/deployer/v1/planned_object'

import type { PlannedAction, PlannedChange } from '../domain/planned-change.ts'

const ACTIONS: Readonly<Record<PlannedAction, PlannedActionMessage>> = {
  create: PlannedActionMessage.CREATE,
  change: PlannedActionMessage.CHANGE,
  delete: PlannedActionMessage.DELETE,
  unchanged: PlannedActionMessage.UNCHANGED,
  rejected: PlannedActionMessage.REJECTED,
}

/** Converts a planned change to its proto message. */
export function toPlannedObject(change: PlannedChange): PlannedObject {
  return create(PlannedObjectSchema, {
    kind: change.kind,
    name: change.name,
    action: ACTIONS[change.action],
    fields: change.fields.map((field) => ({ ...field })),
    omittedFields: change.omittedFields,
    restarts: [...change.restarts],
  })
}
