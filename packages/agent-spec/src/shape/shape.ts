/**
 * One description of the file format, from which both the warnings on register and the JSON Schema
 * for editors are made, so that they can't disagree about fields, types and values.
 */
export type Shape =
  | TextShape
  | {
      readonly kind: 'integer'
      readonly min: number
      readonly max: number
      readonly about: string
      readonly default?: number
    }
  | { readonly kind: 'boolean'; readonly about: string; readonly default?: boolean }
  | { readonly kind: 'scalar'; readonly about: string }
  | { readonly kind: 'any'; readonly about: string }
  | { readonly kind: 'anyMap'; readonly about: string }
  | { readonly kind: 'map'; readonly about: string; readonly of: Shape; readonly entries?: true }
  | ListShape
  | ObjectShape

/** A list of values of one shape. */
export interface ListShape {
  readonly kind: 'list'
  readonly about: string
  readonly of: Shape
  readonly minItems?: number
  /** What follows so many items is ignored. */
  readonly maxItems?: number
}

/** A text: any, one of some words, or one that a format accepts. */
export interface TextShape {
  readonly kind: 'text'
  readonly about: string
  readonly oneOf?: readonly string[]
  /** The pattern is for editors, the problem for people. */
  readonly format?: { readonly pattern: string; readonly problem: string }
  readonly maxLength?: number
  readonly default?: string
}

/** A mapping with known fields. */
export interface ObjectShape {
  readonly kind: 'object'
  readonly about: string
  readonly fields: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  /** Exactly one of these fields has to be there. */
  readonly exactlyOne?: readonly string[]
}
