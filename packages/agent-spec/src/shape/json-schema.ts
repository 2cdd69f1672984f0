import type { JsonObject, JsonValue } from '../json.ts'
import { build, container, healthcheck, input, liveness } from './parts.ts'
import type { ObjectShape, Shape, TextShape } from './shape.ts'
import { specShape } from './spec-shape.ts'

// Shapes that are used more than once are written once, under $defs.
const shared = new Map<Shape, string>([
  [build, 'build'],
  [healthcheck, 'healthcheck'],
  [liveness, 'liveness'],
  [input, 'input'],
  [container, 'container'],
])

/** The path at which every gateway serves the schema. */
export const AGENT_SPEC_SCHEMA_PATH = '/api/v1/schemas/astroai.schema.json'

/**
 * The JSON Schema (2020-12) of `astroai.yml` for editors, generated from the shape that the
 * warnings use. Its id is a relative reference: it resolves against the URL of the gateway.
 */
export const agentSpecSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: AGENT_SPEC_SCHEMA_PATH,
  title: 'astroai.yml',
  ...objectSchema(specShape),
  $defs: Object.fromEntries(
    [...shared].map(([shape, name]) => [name, shape.kind === 'object' ? objectSchema(shape) : {}]),
  ),
}

function schemaOf(shape: Shape): JsonObject {
  const name = shared.get(shape)
  return name === undefined ? ownSchema(shape) : { $ref: `#/$defs/${name}` }
}

function ownSchema(shape: Shape): JsonObject {
  const description = shape.about
  switch (shape.kind) {
    case 'any':
      return { description }
    case 'scalar':
      return { description, type: ['string', 'number', 'boolean', 'null'] }
    case 'boolean':
      return { description, type: 'boolean', ...defaultOf(shape.default) }
    case 'integer':
      return {
        description,
        type: 'integer',
        minimum: shape.min,
        maximum: shape.max,
        ...defaultOf(shape.default),
      }
    case 'text':
      return textSchema(shape)
    case 'anyMap':
      return { description, type: 'object' }
    case 'map': {
      const map = { type: 'object', additionalProperties: schemaOf(shape.of) }
      if (!shape.orList) return { description, ...map }
      return { description, anyOf: [map, { type: 'array', items: schemaOf(shape.of) }] }
    }
    case 'list':
      return {
        description,
        type: 'array',
        items: schemaOf(shape.of),
        ...(shape.minItems ? { minItems: shape.minItems } : {}),
        ...(shape.maxItems ? { maxItems: shape.maxItems } : {}),
      }
    case 'object':
      return objectSchema(shape)
  }
}

function textSchema({ about, oneOf, format, maxLength, default: fallback }: TextShape): JsonObject {
  return {
    description: about,
    type: 'string',
    ...(oneOf ? { enum: [...oneOf] } : {}),
    ...(format ? { pattern: format.pattern } : {}),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...defaultOf(fallback),
  }
}

function objectSchema(shape: ObjectShape): JsonObject {
  const required = shape.required ?? []
  const properties = Object.entries(shape.fields).map(([key, field]): [string, JsonValue] => [
    key,
    required.includes(key) ? present(schemaOf(field)) : optional(schemaOf(field)),
  ])
  return {
    description: shape.about,
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
    ...(required.length > 0 ? { required: [...required] } : {}),
    ...(shape.exactlyOne ? { oneOf: shape.exactlyOne.map(has) } : {}),
  }
}

// A key without a value counts as missing, so an optional one may be null.
function optional(schema: JsonObject): JsonObject {
  const { type } = schema
  if (typeof type === 'string' && schema['enum'] === undefined)
    return { ...schema, type: [type, 'null'] }
  if (Array.isArray(schema['anyOf']))
    return { ...schema, anyOf: [...schema['anyOf'], { type: 'null' }] }
  if (schema['$ref'] === undefined && schema['enum'] === undefined) return schema
  return { anyOf: [schema, { type: 'null' }] }
}

function present(schema: JsonObject): JsonObject {
  return schema['type'] === 'string' ? { ...schema, minLength: 1 } : schema
}

function has(key: string): JsonObject {
  return { required: [key], properties: { [key]: { not: { enum: [null, ''] } } } }
}

function defaultOf(value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : { default: value }
}
