/** A value in a Secret. */
export interface SecretPlace {
  readonly secret: string
  readonly key: string
}

/** Where the values of a revision's credentials lie. Names and keys only. */
export interface SecretPlan {
  /** The Secret of each component that has one, by component name. */
  readonly roles: Readonly<
    Record<string, { readonly secret: string; readonly keys: readonly string[] }>
  >
  /**
   * Where each credential can be read again; `former` is where the same value lay before, in case
   * that the cluster refuses the Secret where it is to be from now on.
   */
  readonly sources: Readonly<Record<string, SecretPlace & { readonly former?: SecretPlace }>>
}
