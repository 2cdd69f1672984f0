/** A JSON schema, as far as it is read here. */
export interface Schema {
  readonly [keyword: string]: unknown
}

interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** The schema of a kind, and the file that kubeconform looks for; see `SCHEMA_FILE`. */
export interface KindSchema {
  readonly file: string
  readonly schema: Schema
}

/** kubeconform's template for the names of files; for the core group it sets Group to `v1`. */
export const SCHEMA_FILE = '{{ .Group }}/{{ .ResourceAPIVersion }}/{{ .ResourceKind }}.json'

/**
 * Returns a strict schema for each kind of an OpenAPI v3 document of Kubernetes, given its
 * `components.schemas`. Each has all schemas that it refers to.
 */
export function kindSchemas(components: Readonly<Record<string, Schema>>): KindSchema[] {
  return Object.entries(components).flatMap(([name, schema]) => {
    const kinds = schema['x-kubernetes-group-version-kind'] as GroupVersionKind[] | undefined
    // Types with several kinds, such as DeleteOptions, belong to requests.
    if (kinds?.[0] === undefined || kinds.length > 1) return []
    const schemas = Object.fromEntries(
      [...referredFrom(name, components)].map((each) => [each, strict(components[each] ?? {})]),
    )
    const root = { $ref: `${REFERENCE}${name}`, components: { schemas } }
    return [{ file: fileOf(kinds[0]), schema: root }]
  })
}

/** Returns strict schemas for the versions of a CustomResourceDefinition. */
export function customKindSchemas(definition: CustomResourceDefinition): KindSchema[] {
  const { group, names, versions } = definition.spec
  return versions.map(({ name, schema }) => ({
    file: fileOf({ group, version: name, kind: names.kind }),
    schema: strict(schema.openAPIV3Schema),
  }))
}

/** The parts of a CustomResourceDefinition that have its schemas. */
export interface CustomResourceDefinition {
  readonly spec: {
    readonly group: string
    readonly names: { readonly kind: string }
    readonly versions: readonly {
      readonly name: string
      readonly schema: { readonly openAPIV3Schema: Schema }
    }[]
  }
}

const REFERENCE = '#/components/schemas/'

function fileOf({ group, version, kind }: GroupVersionKind): string {
  return `${group || version}/${version}/${kind.toLowerCase()}.json`
}

/** Returns the names of a schema and of all that it refers to, also indirectly. */
function referredFrom(
  name: string,
  components: Readonly<Record<string, Schema>>,
  found: Set<string> = new Set(),
): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const [, next = ''] of JSON.stringify(components[name]).matchAll(/"#\/[\w/]+\/([^"]+)"/g)) {
    referredFrom(next, components, found)
  }
  return found
}

/** Refuses unknown fields wherever fields are listed, and leaves out descriptions. */
function strict(schema: Schema): Schema {
  const { description: _, properties, items, additionalProperties, ...others } = schema
  const isOpen = properties === undefined || schema['x-kubernetes-preserve-unknown-fields'] === true
  return {
    ...others,
    ...(properties === undefined ? {} : { properties: strictEach(properties as object) }),
    ...(items === undefined ? {} : { items: strict(items as Schema) }),
    ...(additionalProperties === undefined
      ? isOpen
        ? {}
        : { additionalProperties: false }
      : {
          additionalProperties:
            typeof additionalProperties === 'object'
              ? strict(additionalProperties as Schema)
              : additionalProperties,
        }),
  }
}

function strictEach(properties: object): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, strict(schema as Schema)]),
  )
}
