import { parseImage, type ImageReference } from '@slipway/agent-spec'

/** Which accounts may use the images below a prefix, and how these are pulled. */
export interface RegistryRule {
  /** `registry` or `registry/path`, in the spelling of ImageReference. */
  readonly prefix: string
  /** Ids of the accounts whose agents may use the images; undefined means all accounts. */
  readonly accounts: ReadonlySet<string> | undefined
  /** A `.dockerconfigjson` with the credentials for the images. */
  readonly pullSecretFile: string | undefined
  /** Whether the registry speaks HTTP without TLS. */
  readonly plainHttp: boolean
}

/** The operator's policy for the images of users. */
export interface ImagePolicy {
  /** Longer prefixes come first. */
  readonly rules: readonly RegistryRule[]
  /** Whether images that no rule covers are allowed. They are pulled without credentials. */
  readonly allowsOthers: boolean
}

/** Finds the rule for an image: the one with the longest prefix. */
export function ruleFor(
  { rules }: ImagePolicy,
  { registry, repository }: ImageReference,
): RegistryRule | undefined {
  const names = [registry, registry.replace(/:80$/, '')].map((host) => `${host}/${repository}`)
  return rules.find(({ prefix, plainHttp }) =>
    // 80 is another name of the same port only without TLS.
    names.slice(0, plainHttp ? 2 : 1).some((name) => `${name}/`.startsWith(`${prefix}/`)),
  )
}

/** Whether a policy lets the agents of an account use an image. */
export function allowsImage(policy: ImagePolicy, accountId: string, image: string): boolean {
  const reference = parseImage(image)
  if (reference === undefined) return false
  const rule = ruleFor(policy, reference)
  return rule === undefined
    ? policy.allowsOthers
    : rule.accounts === undefined || rule.accounts.has(accountId)
}
