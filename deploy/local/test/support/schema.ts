/** A schema of the API server's OpenAPI document, as far as it is read here. */
export interface Schema {
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema
}

/** The schemas of an API group by name. */
export type Schemas = Readonly<Record<string, Schema>>

/** Returns the schema of a type, for example `PodSpec`. */
export function typeNamed(schemas: Schemas, type: string): Schema {
  const found = schemas[`io.k8s.api.core.v1.${type}`]
  if (found === undefined) throw new Error(`the API server has no type ${type}`)
  return found
}

/** Makes a value of a schema, with its required fields only. */
export function sampleOf(schemas: Schemas, schema: Schema): unknown {
  const [reference] = [schema.$ref, ...(schema.allOf ?? []).map(({ $ref }) => $ref)].filter(Boolean)
  if (reference !== undefined) {
    const name = reference.replace('#/components/schemas/', '')
    if (name.endsWith('.Quantity')) return '1'
    return sampleOf(schemas, schemas[name] ?? {})
  }
  const type: string = schema.oneOf ? 'integer' : (schema.type ?? 'object')
  switch (type) {
    case 'string':
      return 'x'
    case 'integer':
      return 1
    case 'boolean':
      return true
    case 'array':
      return [sampleOf(schemas, schema.items ?? {})]
    default: {
      if (schema.additionalProperties) return { x: sampleOf(schemas, schema.additionalProperties) }
      const fields = schema.required ?? []
      return Object.fromEntries(
        fields.map((field) => [field, sampleOf(schemas, schema.properties?.[field] ?? {})]),
      )
    }
  }
}
