/** The kinds of values that `overrides` may set. */
export type EditableKind =
  | 'replicas'
  | 'resources'
  | 'environment'
  | 'healthcheck'
  | 'update'
  | 'gpu'
  | 'storage'
  | 'persistent'
  | 'flag'

/** A path of a template that `overrides` may set; `*` matches any key. */
export interface EditablePath {
  readonly path: string
  readonly kind: EditableKind
}

const COMPONENT_FIELDS: readonly (readonly [string, EditableKind])[] = [
  ['replicas', 'replicas'],
  ['resources', 'resources'],
  ['environment.*', 'environment'],
  ['healthcheck', 'healthcheck'],
  ['update', 'update'],
]

/**
 * Every path that `overrides` may set. Credentials, interfaces and schedules have their own fields
 * in a deploy request. Credentials must not be overrides, because overrides are stored.
 */
export const EDITABLE_PATHS: readonly EditablePath[] = [
  ...pathsOf('agent', COMPONENT_FIELDS),
  { path: 'agent.expose.enabled', kind: 'flag' },
  ...pathsOf('models.*', [
    ...COMPONENT_FIELDS,
    ['gpu', 'gpu'],
    ['persistent', 'persistent'],
    ['storage', 'storage'],
  ]),
  ...pathsOf('knowledge.*', [
    ...COMPONENT_FIELDS,
    ['gpu', 'gpu'],
    ['persistent', 'persistent'],
    ['storage', 'storage'],
  ]),
  ...pathsOf('tools.*', [
    ...COMPONENT_FIELDS,
    ['gpu', 'gpu'],
    ['persistent', 'persistent'],
    ['storage', 'storage'],
  ]),
  ...pathsOf('ingestion.*', [
    ['resources', 'resources'],
    ['environment.*', 'environment'],
    ['healthcheck', 'healthcheck'],
  ]),
  { path: 'interfaces.resources', kind: 'resources' },
  { path: 'interfaces.expose.enabled', kind: 'flag' },
  { path: 'observability.enabled', kind: 'flag' },
]

function pathsOf(
  prefix: string,
  fields: readonly (readonly [string, EditableKind])[],
): EditablePath[] {
  return fields.map(([field, kind]) => ({ path: `${prefix}.${field}`, kind }))
}
