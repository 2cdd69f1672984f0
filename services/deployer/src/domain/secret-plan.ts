/** The location of a value: a Secret and a key in it. */
export interface SecretPlace {
  readonly secret: string
  readonly key: string
}

/** The locations of a revision's credentials: names and keys of Secrets, never values. */
export interface SecretPlan {
  /** The Secret of each component that has one, by component name. */
  readonly roles: Readonly<
    Record<string, { readonly secret: string; readonly keys: readonly string[] }>
  >
  /**
   * The location of each credential. `former` is its previous location, needed when the cluster
   * rejects the new Secret.
   */
  readonly sources: Readonly<Record<string, SecretPlace & { readonly former?: SecretPlace }>>
}
