import { COMPONENT_SECTIONS, type ComponentSection } from '../spec-types.ts'

const COMPONENT_FIELDS = ['host', 'port', 'url', 'password'] as const
const SOURCE_FIELDS = ['name', 'build', 'account', 'registry'] as const

/** The target of a `${…}` in an environment value. */
export type Reference =
  | {
      readonly kind: 'component'
      readonly section: ComponentSection
      readonly entry: string
      readonly field: (typeof COMPONENT_FIELDS)[number]
    }
  | { readonly kind: 'credential'; readonly key: string }
  | { readonly kind: 'source'; readonly field: (typeof SOURCE_FIELDS)[number] }

/** A part of an environment value: literal text, a reference, or an invalid `${…}`. */
export type ValuePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'invalid'; readonly text: string }

/** Splits an environment value into text and references. `$${` stands for a literal `${`. */
export function parseValue(value: string): ValuePart[] {
  const parts: ValuePart[] = []
  let text = ''
  let index = 0
  while (index < value.length) {
    const next = value.indexOf('${', index)
    if (next < 0) break
    if (next > index && value[next - 1] === '$') {
      text += `${value.slice(index, next - 1)}\${`
      index = next + 2
      continue
    }
    const end = value.indexOf('}', next)
    const inner = end < 0 ? undefined : value.slice(next + 2, end)
    const reference = inner === undefined ? undefined : parseReference(inner)
    text += value.slice(index, next)
    if (text !== '') parts.push({ kind: 'text', text })
    text = ''
    index = end < 0 ? value.length : end + 1
    parts.push(
      reference
        ? { kind: 'reference', reference }
        : { kind: 'invalid', text: value.slice(next, index) },
    )
  }
  text += value.slice(index)
  if (text !== '') parts.push({ kind: 'text', text })
  return parts
}

/** Escapes a literal string for an environment value, so that it contains no references. */
export function escapeValue(text: string): string {
  return text.replaceAll('${', () => '$${')
}

/** Returns the key of the credential if a value is exactly one reference to a credential. */
export function soleCredential(value: string): string | undefined {
  const [part, ...rest] = parseValue(value)
  if (rest.length > 0 || part?.kind !== 'reference' || part.reference.kind !== 'credential')
    return undefined
  return part.reference.key
}

function parseReference(inner: string): Reference | undefined {
  const first = inner.indexOf('.')
  if (first < 0) return undefined
  const scope = inner.slice(0, first)
  const rest = inner.slice(first + 1)
  if (scope === 'credentials') return rest === '' ? undefined : { kind: 'credential', key: rest }
  if (scope === 'source') {
    const field = SOURCE_FIELDS.find((name) => name === rest)
    return field && { kind: 'source', field }
  }
  const section = COMPONENT_SECTIONS.find((name) => name === scope)
  // The name of an entry may contain dots, so the field follows the last one.
  const last = rest.lastIndexOf('.')
  const field = COMPONENT_FIELDS.find((name) => name === rest.slice(last + 1))
  if (!section || !field || last < 1) return undefined
  return { kind: 'component', section, entry: rest.slice(0, last), field }
}
