import { build, container, healthcheck, input } from '../../src/shape/parts.ts'
import type { ObjectShape, Shape } from '../../src/shape/shape.ts'
import { specShape } from '../../src/shape/spec-shape.ts'
import { code, codes, table, type Row } from './markdown.ts'

const NAMES = {
  text: 'text',
  boolean: '`true` or `false`',
  scalar: 'text, number, `true` or `false`',
  any: 'any value',
  anyMap: 'mapping',
} as const

/** Shapes that several keys have, with the headings that describe them. */
const SHARED = new Map<Shape, string>([
  [container, 'container'],
  [build, 'build'],
  [healthcheck, 'healthcheck'],
  [input, 'input'],
])

/** Returns a table of keys for the file, for each section, and for each shared shape. */
export function keyTables(): string {
  const parts: string[] = [describe('The file', specShape, topRows())]
  for (const [key, shape] of Object.entries(specShape.fields)) {
    const [path, object] = sectionOf(key, shape) ?? []
    if (path !== undefined && object) parts.push(describe(code(path), object, rowsOf(object, '')))
  }
  for (const [shape, name] of SHARED) {
    if (shape.kind === 'object') parts.push(describe(code(name), shape, rowsOf(shape, '')))
  }
  return parts.join('\n\n')
}

function describe(heading: string, shape: ObjectShape, rows: readonly Row[]): string {
  const choice = shape.exactlyOne ? [`Exactly one of ${codes(shape.exactlyOne)} is required.`] : []
  const about = [shape.about, ...choice].join(' ')
  return [`### ${heading}`, about, table(['key', 'value', 'default', 'meaning'], rows)].join('\n\n')
}

function topRows(): Row[] {
  return Object.entries(specShape.fields).map(([key, shape]) => {
    const [path] = sectionOf(key, shape) ?? []
    const value = path === undefined ? valueOf(shape) : `[below](#${anchor(path)})`
    return rowOf(key, shape, value, specShape.required)
  })
}

/** The path and the fields of a key that has its own heading. */
function sectionOf(key: string, shape: Shape): [string, ObjectShape] | undefined {
  if (shape.kind === 'object') return [key, shape]
  return shape.kind === 'map' && shape.of.kind === 'object' ? [`${key}.NAME`, shape.of] : undefined
}

function rowsOf({ fields, required }: ObjectShape, prefix: string): Row[] {
  return Object.entries(fields).flatMap(([key, shape]) => {
    const path = `${prefix}${key}`
    return [rowOf(path, shape, valueOf(shape), required), ...membersOf(shape, path)]
  })
}

/** The keys of a mapping, or of the items of a list, that is described where it is used. */
function membersOf(shape: Shape, path: string): Row[] {
  if (SHARED.has(shape)) return []
  if (shape.kind === 'object') return rowsOf(shape, `${path}.`)
  return shape.kind === 'list' ? membersOf(shape.of, `${path}[]`) : []
}

function rowOf(path: string, shape: Shape, value: string, required: readonly string[] = []): Row {
  const fallback = 'default' in shape ? code(String(shape.default)) : '–'
  const isRequired = required.some((key) => key === path.split('.').at(-1))
  return [code(path), value, isRequired ? 'required' : fallback, meaningOf(shape)]
}

function meaningOf(shape: Shape): string {
  const bounds: string[] = []
  if (shape.kind === 'text') {
    if (shape.format) bounds.push(shape.format.problem)
    if (shape.maxLength !== undefined) bounds.push(`at most ${shape.maxLength} characters`)
  }
  if (shape.kind === 'list') {
    if (shape.minItems !== undefined) bounds.push(`at least ${shape.minItems}`)
    if (shape.maxItems !== undefined) bounds.push(`at most ${shape.maxItems}`)
  }
  const rules = bounds.join('; ')
  return rules === '' ? shape.about : `${shape.about} ${rules[0]?.toUpperCase()}${rules.slice(1)}.`
}

function valueOf(shape: Shape): string {
  const shared = SHARED.get(shape)
  if (shared !== undefined) return `[${code(shared)}](#${anchor(shared)})`
  switch (shape.kind) {
    case 'text':
      return shape.oneOf ? codes(shape.oneOf) : NAMES.text
    case 'integer':
      return `${shape.min} to ${shape.max}`
    case 'map':
      return `mapping of names to ${valueOf(shape.of)}${shape.orList ? ', or list of them' : ''}`
    case 'list':
      return `list of ${valueOf(shape.of)}`
    case 'object':
      return 'mapping'
    case 'boolean':
    case 'scalar':
    case 'any':
    case 'anyMap':
      return NAMES[shape.kind]
  }
}

function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll('.', '')
}
