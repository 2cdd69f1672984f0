/** A login at a registry. `source` says where it is from. */
export type Credentials = { readonly source: string } & (
  | { readonly kind: 'password'; readonly user: string; readonly password: string }
  /** Exchanged for access tokens, like a refresh token of OAuth. */
  | { readonly kind: 'identity-token'; readonly token: string }
  /** Sent to the registry as it is. */
  | { readonly kind: 'registry-token'; readonly token: string }
)
