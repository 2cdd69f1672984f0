/** The location of a value: a Secret and a key in it. */
export interface SecretPlace {
  readonly secret: string
  readonly key: string
}

/** Where a revision's credentials are stored: names and keys of Secrets, never values. */
export interface SecretPlan {
  /** The Secret of each component that has one, by component name. */
  readonly roles: Readonly<
    Record<string, { readonly secret: string; readonly keys: readonly string[] }>
  >
  /**
   * Where each credential can be read again. `former` is the value's previous location, needed when
   * the cluster refuses the new Secret.
   */
  readonly sources: Readonly<Record<string, SecretPlace & { readonly former?: SecretPlace }>>
}
