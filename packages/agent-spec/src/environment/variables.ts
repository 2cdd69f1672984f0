/** A value that whoever deploys gives in `user_credentials`. */
export interface DeclaredCredential {
  readonly key: string
  readonly provider: string
  readonly category: string
  readonly description: string
  readonly optional: boolean
  /**
   * False for an input that is no secret: it is given the same way, but no list of credentials
   * names it.
   */
  readonly secret: boolean
  /**
   * The key that may be given in its place, and the other way round: both variables have the same
   * value.
   */
  readonly sameAs?: string
  /** Used when it isn't given. */
  readonly default?: string
}

/** One environment variable that a spec file brings about. */
export interface Variable {
  readonly name: string
  /** May hold references. */
  readonly value: string
  /** Where it comes from, as a path of the file. */
  readonly origin: string
  /** What it means; two variables of one name that mean different things collide. */
  readonly meaning: string
  /** Set when the value is this credential. */
  readonly credential?: DeclaredCredential
  /** A secret input: another declaration of the same key means the same credential. */
  readonly shared?: boolean
  /** An input that has a default, which `user_credentials` may replace. */
  readonly settable?: boolean
}

/** Whether two variables of one name in one environment mean different things. */
export function collide(a: Variable, b: Variable): boolean {
  if (a.name !== b.name || a.meaning === b.meaning) return false
  const bothCredentials = a.credential !== undefined && b.credential !== undefined
  return !(bothCredentials && (a.shared === true || b.shared === true))
}

/** A variable that is a credential. */
export function credentialVariable(
  credential: DeclaredCredential,
  place: { origin: string; meaning: string; shared?: boolean },
): Variable {
  return { name: credential.key, value: `\${credentials.${credential.key}}`, ...place, credential }
}
