import { create } from '@bufbuild/protobuf'
import {
  PlannedAction,
  PlannedObjectSchema,
  type PlannedObject,
} from '@slipway/proto/slipway/deployer/v1/planned_object'
import { valueOf } from '@slipway/shared/enum-names'

import type { PlannedChange } from '../domain/planned-change.ts'

/** Converts a planned change to its proto message. */
export function toPlannedObject(change: PlannedChange): PlannedObject {
  return create(PlannedObjectSchema, {
    kind: change.kind,
    name: change.name,
    action: valueOf(PlannedAction, change.action),
    fields: change.fields.map((field) => ({ ...field })),
    omittedFields: change.omittedFields,
    restarts: [...change.restarts],
  })
}
