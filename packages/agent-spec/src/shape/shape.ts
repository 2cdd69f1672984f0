/**
 * Describes a part of the file format. Both the warnings on register and the JSON Schema for
 * editors are generated from it, so they can't disagree about fields, types and values.
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
  | {
      readonly kind: 'scalar'
      readonly about: string
      /** Its value is the text of the file: `True` isn't `true`. */
      readonly isText?: true
    }
  | { readonly kind: 'any'; readonly about: string }
  | { readonly kind: 'anyMap'; readonly about: string }
  | MapShape
  | ListShape
  | ObjectShape

/** A mapping whose values have the same shape. */
export interface MapShape {
  readonly kind: 'map'
  readonly about: string
  readonly of: Shape
  /** It is a section: the number of its entries and the lengths of their names are limited. */
  readonly entries?: true
  /** A list of the values, without keys, means the same. */
  readonly orList?: true
}

/** A list whose items have the same shape. */
export interface ListShape {
  readonly kind: 'list'
  readonly about: string
  readonly of: Shape
  readonly minItems?: number
  /** Further items are ignored. */
  readonly maxItems?: number
}

/** A string: any string, one of several, or one that matches a format. */
export interface TextShape {
  readonly kind: 'text'
  readonly about: string
  readonly oneOf?: readonly string[]
  /** `problem` is the warning for a string that does not match. */
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
  /** Exactly one of these fields must be set. */
  readonly exactlyOne?: readonly string[]
}
