import {
  PlannedAction,
  type PlannedObject,
} from '@slipway/proto/slipway/deployer/v1/planned_object'
import { nameOf, namesOf } from '@slipway/shared/enum-names'
import { Type } from 'typebox'

import { AnyText, Choice, Count } from '../../http/schemas/kinds.ts'

const PlannedActionName = Choice(namesOf(PlannedAction), {
  title: 'PlannedAction',
  description:
    'What a deploy would do to an object. rejected: the cluster would reject it, and `warnings` ' +
    'has the reason',
})

const PlannedField = Type.Object(
  {
    path: AnyText('E.g. `spec.template.spec.containers[agent].image`'),
    old: Type.Optional(
      Type.Unknown({ description: 'The value in the cluster; absent if the field is not set' }),
    ),
    new: Type.Optional(
      Type.Unknown({ description: 'The value after the deploy; absent if it removes the field' }),
    ),
  },
  {
    title: 'PlannedField',
    description:
      'A field that changes. Values with more than 500 characters as JSON are cut and become ' +
      'strings. Values of Secrets are absent, and redacted in other objects',
  },
)

/** What a deploy would do to one object. */
export const PlannedChange = Type.Object(
  {
    kind: AnyText('Kind of the object'),
    name: AnyText('Name of the object. Names of Secrets contain a hash of their content'),
    action: PlannedActionName,
    fields: Type.Optional(
      Type.Array(PlannedField, {
        description: 'The fields that change; at most 50, and at most 500 in a plan',
      }),
    ),
    omitted_fields: Type.Optional(Count('Number of further fields that change')),
    restarts: Type.Optional(
      Type.Array(Type.String(), { description: 'The pods that are replaced' }),
    ),
  },
  { title: 'PlannedChange', description: 'What a deploy would do to an object of the cluster' },
)

/** An object of a plan in the REST API. */
export function toPlannedJson({ kind, name, action, ...change }: PlannedObject) {
  return {
    kind,
    name,
    action: nameOf(PlannedAction, action) ?? 'unchanged',
    ...(change.fields.length === 0
      ? {}
      : {
          fields: change.fields.map(({ path, oldJson, newJson }) => ({
            path,
            ...(oldJson === '' ? {} : { old: JSON.parse(oldJson) as unknown }),
            ...(newJson === '' ? {} : { new: JSON.parse(newJson) as unknown }),
          })),
        }),
    ...(change.omittedFields === 0 ? {} : { omitted_fields: change.omittedFields }),
    ...(change.restarts.length === 0 ? {} : { restarts: change.restarts }),
  }
}
