/** The claims of a JSON Web Token, which is not verified. Undefined for other tokens. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const [, payload = ''] = token.split('.')
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return typeof claims === 'object' && claims !== null
      ? (claims as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** For which APIs a token is. Undefined if it doesn't say. */
export function audiencesOf(token: string): readonly string[] | undefined {
  const audience = claimsOf(token)?.['aud']
  return audience === undefined
    ? undefined
    : [audience].flat().filter((each) => typeof each === 'string')
}

/** Whom a token identifies. Undefined if it doesn't say. */
export function subjectOf(token: string): string | undefined {
  const subject = claimsOf(token)?.['sub']
  return typeof subject === 'string' ? subject : undefined
}
