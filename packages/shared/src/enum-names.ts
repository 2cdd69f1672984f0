/** A generated enum. */
type Enum = { readonly UNSPECIFIED: 0 } & Readonly<Record<string, number>>

/** The names of an enum's values outside of protos: `NOT_FOUND` is `not_found`. */
export type NameIn<E extends Enum> = Lowercase<Exclude<keyof E & string, 'UNSPECIFIED'>>

/** Returns the names of an enum's values, in its order. */
export function namesOf<E extends Enum>(values: E): NameIn<E>[] {
  const keys = Object.keys(values).filter((key) => key !== 'UNSPECIFIED')
  return keys.map((key) => key.toLowerCase() as NameIn<E>)
}

/** Returns the name of a value; undefined if it is unspecified, or of a newer release. */
export function nameOf<E extends Enum>(values: E, value: number): NameIn<E> | undefined {
  for (const key in values)
    if (values[key] === value && value !== 0) return key.toLowerCase() as NameIn<E>
  return undefined
}

/** Returns the value with a name. */
export function valueOf<E extends Enum>(values: E, name: NameIn<E>): E[keyof E] {
  return findValue(values, name)
}

/** Returns the value with a name that was stored; unspecified if there is none. */
export function findValue<E extends Enum>(values: E, name: string): E[keyof E] {
  const key = name.toUpperCase()
  return values[Object.hasOwn(values, key) ? (key as keyof E) : 'UNSPECIFIED']
}
