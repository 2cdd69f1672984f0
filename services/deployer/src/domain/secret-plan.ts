/** Where the values of a revision's credentials lie. Names and keys only. */
export interface SecretPlan {
  /** The Secret of each component that has one, by component name. */
  readonly roles: Readonly<Record<string, { readonly secret: string; readonly keys: readonly string[] }>>
  /** Where each credential can be read again. */
  readonly sources: Readonly<Record<string, { readonly secret: string; readonly key: string }>>
}
