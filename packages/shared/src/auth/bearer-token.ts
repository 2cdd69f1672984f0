/** https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i

/** Returns the token of an Authorization header; undefined if it has none. */
export function bearerToken(authorization: string | null | undefined): string | undefined {
  return authorization ? BEARER.exec(authorization)?.[1] : undefined
}
