/**
 * Adds the query to the URL of a token endpoint
 * (https://distribution.github.io/distribution/spec/auth/token/).
 */
export function tokenQuery(url: URL, service: string, scopes: readonly string[]): void {
  if (service !== '') url.searchParams.set('service', service)
  for (const scope of scopes) url.searchParams.append('scope', scope)
}

/** Reads the response of a token endpoint; undefined if it has no token for a header. */
export function readToken(
  body: unknown,
): { readonly token: string; readonly lifeSeconds: number | undefined } | undefined {
  const response = { ...(body as Readonly<Record<string, unknown>> | null) }
  const token = response['token'] ?? response['access_token']
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) return undefined
  const life = response['expires_in']
  return { token, lifeSeconds: life === undefined || life === null ? undefined : Number(life) }
}
