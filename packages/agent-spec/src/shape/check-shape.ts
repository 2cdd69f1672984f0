import type { FieldProblem } from '../environment/collisions.ts'
import { compareCodePoints, isObject, own, type JsonObject, type JsonValue } from '../json.ts'
import { hintFor } from '../names/closest-name.ts'
import { ENTRY_LIMITS } from '../read/values.ts'
import type { MapShape, ObjectShape, Shape, TextShape } from './shape.ts'

type Report = (problem: FieldProblem) => void
const MAX_SEGMENT_LENGTH = 60

/** Reports where a document differs from its shape: types, values, unknown and missing keys. */
export function checkShape(value: JsonValue, shape: Shape, field: string, report: Report): void {
  const wrong = (message: string) => report({ field, message })
  switch (shape.kind) {
    case 'any':
      return
    case 'text':
      return typeof value === 'string' ? checkText(value, shape, wrong) : wrong('must be a string')
    case 'boolean':
      return typeof value === 'boolean' ? undefined : wrong('must be true or false')
    case 'scalar':
      return typeof value === 'object' && value !== null
        ? wrong('must be a single value, not a list or mapping')
        : undefined
    case 'integer': {
      const fits =
        typeof value === 'number' &&
        Number.isInteger(value) &&
        value >= shape.min &&
        value <= shape.max
      return fits ? undefined : wrong(`must be a whole number from ${shape.min} to ${shape.max}`)
    }
    case 'anyMap':
      return isObject(value) ? undefined : wrong('must be a mapping')
    case 'map':
      if (shape.orList && Array.isArray(value)) return checkItems(value, shape.of, field, report)
      if (!isObject(value)) return wrong(`must be a mapping${shape.orList ? ' or a list' : ''}`)
      return checkMap(value, shape, field, report)
    case 'list': {
      if (!Array.isArray(value)) return wrong('must be a list')
      if (value.length < (shape.minItems ?? 0)) wrong('must not be empty')
      if (value.length > (shape.maxItems ?? Number.POSITIVE_INFINITY)) {
        wrong(`has more than ${shape.maxItems} items; the rest are ignored`)
      }
      return checkItems(value, shape.of, field, report)
    }
    case 'object':
      return isObject(value) ? checkObject(value, shape, field, report) : wrong('must be a mapping')
  }
}

/** Appends a key to a path in the file. Long keys are truncated. */
export function joinField(field: string, key: string): string {
  const segment = key.length > MAX_SEGMENT_LENGTH ? `${key.slice(0, MAX_SEGMENT_LENGTH)}…` : key
  return field === '' ? segment : `${field}.${segment}`
}

function checkText(value: string, shape: TextShape, wrong: (message: string) => void): void {
  if (shape.oneOf && !shape.oneOf.includes(value)) wrong(`must be one of ${shape.oneOf.join(', ')}`)
  else if (shape.format && !new RegExp(shape.format.pattern).test(value))
    wrong(shape.format.problem)
  else if (value.length > (shape.maxLength ?? Number.POSITIVE_INFINITY))
    wrong(`must have at most ${shape.maxLength} characters`)
}

function checkItems(items: readonly JsonValue[], of: Shape, field: string, report: Report): void {
  for (const [index, item] of items.entries()) checkShape(item, of, `${field}[${index}]`, report)
}

function checkMap(value: JsonObject, shape: MapShape, field: string, report: Report): void {
  const names = Object.keys(value).sort(compareCodePoints)
  for (const name of names)
    checkShape(own(value, name) ?? null, shape.of, joinField(field, name), report)
  if (shape.entries !== true) return
  const known = names.filter((name) => name.length <= ENTRY_LIMITS.nameLength)
  if (known.length > ENTRY_LIMITS.count) {
    report({
      field,
      message: `has more than ${ENTRY_LIMITS.count} entries; the rest are ignored`,
    })
  }
  for (const name of names) {
    const message = `ignored: a name can have at most ${ENTRY_LIMITS.nameLength} characters`
    if (name.length > ENTRY_LIMITS.nameLength) report({ field: joinField(field, name), message })
  }
}

function checkObject(value: JsonObject, shape: ObjectShape, field: string, report: Report): void {
  for (const key of shape.required ?? []) {
    if (isMissing(value, key)) report({ field: joinField(field, key), message: 'is required' })
  }
  const choice = shape.exactlyOne ?? []
  const chosen = choice.filter((key) => !isMissing(value, key))
  if (choice.length > 0 && chosen.length !== 1) {
    const found = chosen.length === 0 ? 'has neither' : 'has both'
    report({ field, message: `needs exactly one of ${choice.join(' and ')}, but ${found}` })
  }
  for (const [key, item] of Object.entries(value)) {
    const known = own(shape.fields, key)
    if (!known) {
      const hint = hintFor(key, Object.keys(shape.fields))
      report({ field: joinField(field, key), message: `unknown key: ignored${hint}` })
    }
    // `key:` without a value means the same as no key.
    else if (item !== null && !(item === '' && shape.required?.includes(key))) {
      checkShape(item, known, joinField(field, key), report)
    }
  }
}

function isMissing(value: JsonObject, key: string): boolean {
  const found = own(value, key)
  return found === undefined || found === null || found === ''
}
