import { Type, type Static, type TSchema } from 'typebox'

/**
 * What the API document says about a schema, in its keyword `x-document`. Requests are not checked
 * against it.
 */
export interface DocumentNotes {
  /** Describes this use of a named schema, whose own description is that of its component. */
  readonly use?: string
  /** Name of the component that the document refers to instead of this schema. */
  readonly as?: string
  /** Keywords that only the document has, such as a pattern that a service checks. */
  readonly only?: Readonly<Record<string, unknown>>
}

/** A non-empty string. */
export const Text = (description: string) => Type.String({ minLength: 1, description })

/** A string that may be empty. */
export const AnyText = (description: string) => Type.String({ description })

/** An RFC 3339 date-time. Responses use UTC with milliseconds. */
export const Time = (description: string) => Type.String({ format: 'date-time', description })

/** A number of things. */
export const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** One of several strings. With a `title`, it is a component of the API document. */
export const Choice = <const Value extends string>(
  values: readonly Value[],
  options: { readonly title?: string; readonly description: string },
) => Type.Unsafe<Value>({ type: 'string', enum: values, ...options })

/**
 * A non-empty string with a name, which is a component of the API document. `only` describes it
 * further; the services check it, because their errors say what is missing.
 */
export const NamedText = (title: string, description: string, only: DocumentNotes['only'] = {}) =>
  Type.Unsafe<string>({
    type: 'string',
    minLength: 1,
    title,
    description,
    'x-document': { only } satisfies DocumentNotes,
  })

/** A named schema with a description of this use of it. */
export const about = <Schema extends TSchema>(schema: Schema, use: string) =>
  Type.Unsafe<Static<Schema>>({
    ...schema,
    'x-document': { ...('x-document' in schema ? (schema['x-document'] as object) : {}), use },
  })

/** An object with free keys and string values. */
export const TextMap = (description: string, options: { maxProperties?: number } = {}) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
    ...options,
  })

/** An object with free members. */
export const FreeObject = (
  description: string,
  options: { title?: string; maxProperties?: number; 'x-document'?: DocumentNotes } = {},
) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description,
    ...options,
  })
