/** A value that is set in `user_credentials`. */
export interface DeclaredCredential {
  readonly key: string
  readonly provider: string
  readonly category: string
  readonly description: string
  readonly optional: boolean
  /** False for a plain input: it is set the same way, but isn't listed as a credential. */
  readonly secret: boolean
  /** Another key for the same value: setting either one is enough. */
  readonly sameAs?: string
  /** Used if the value isn't set. */
  readonly default?: string
}

/** An environment variable derived from a spec. */
export interface Variable {
  readonly name: string
  /** May contain references. */
  readonly value: string
  /** Its path in the spec file. */
  readonly origin: string
  /** Identifies its purpose. Variables with the same name and different meanings collide. */
  readonly meaning: string
  /** Set if the value is this credential. */
  readonly credential?: DeclaredCredential
  /** A secret input: other declarations of the same key mean the same credential. */
  readonly shared?: boolean
  /** Its name results from two names of the author, so that another with it may be a mistake. */
  readonly joined?: boolean
  /** An input with a default, which `user_credentials` may replace. */
  readonly settable?: boolean
  /** Written in an `environment`, which takes precedence over addresses. */
  readonly written?: boolean
}

/**
 * Whether two variables have the same name but different meanings: `never` means that they can't
 * exist together, `unsaid` that they share a credential although the author may not know it.
 * `others` are those of the same name before them.
 */
export function collide(
  a: Variable,
  b: Variable,
  others: readonly Variable[],
): 'never' | 'unsaid' | undefined {
  if (a.name !== b.name || a.meaning === b.meaning) return undefined
  if (a.written === true || b.written === true)
    return a.value !== b.value && !isAddress(a) && !isAddress(b) ? 'never' : undefined
  if (a.credential === undefined || b.credential === undefined) return 'never'
  if (isSharedInput(a) || isSharedInput(b)) return undefined
  const isShared = a.shared === true || b.shared === true || others.some(isSharedInput)
  return isShared ? 'unsaid' : 'never'
}

function isSharedInput({ shared, joined }: Variable): boolean {
  return shared === true && joined !== true
}

function isAddress({ credential, settable, written }: Variable): boolean {
  return credential === undefined && settable !== true && written !== true
}

/** Returns the variable whose value is a credential. */
export function credentialVariable(
  credential: DeclaredCredential,
  place: { origin: string; meaning: string; shared?: boolean },
): Variable {
  return { name: credential.key, value: `\${credentials.${credential.key}}`, ...place, credential }
}
