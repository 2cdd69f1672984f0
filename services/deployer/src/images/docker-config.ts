import { registryName, type ImageReference } from '@slipway/agent-spec'
import { readPassword, type PasswordLogin } from '@slipway/registry'

/** The entries of a `.dockerconfigjson`, by registry. */
export type RegistryAuths = Readonly<Record<string, unknown>>

/** Parses a `.dockerconfigjson`. Throws an Error that doesn't quote its content. */
export function parseDockerConfig(text: string): RegistryAuths {
  try {
    const { auths } = JSON.parse(text) as { auths?: unknown }
    if (typeof auths === 'object' && auths !== null && !Array.isArray(auths))
      return auths as RegistryAuths
  } catch {
    // The error of the parser quotes the text, which contains passwords.
  }
  throw new Error('is not a .dockerconfigjson: must be a JSON object with the object auths')
}

/**
 * Returns the entries that apply to an image, the most specific first. A key is
 * `host[:port][/path]`, with `*` in labels of the host, as nodes read it.
 */
export function authsFor(auths: RegistryAuths, image: ImageReference): RegistryAuths | undefined {
  const found = Object.keys(auths)
    .filter((key) => matches(key, image))
    .sort((a, b) => b.length - a.length)
  return found.length === 0 ? undefined : Object.fromEntries(found.map((key) => [key, auths[key]]))
}

/** Reads the login of the most specific entry that has one. */
export function loginOf(auths: RegistryAuths): PasswordLogin | undefined {
  return Object.values(auths)
    .map(readPassword)
    .find((login) => login !== undefined)
}

function matches(key: string, { registry, repository }: ImageReference): boolean {
  const [host = '', ...rest] = key.replace(/^https?:\/\//i, '').split('/')
  const path = rest
    .join('/')
    .replace(/^v[12](?:\/|$)/, '')
    .replace(/\/+$/, '')
  if (path !== '' && repository !== path && !repository.startsWith(`${path}/`)) return false
  const wanted = (registryName(host) ?? host.toLowerCase()).split('.')
  const labels = registry.split('.')
  return (
    wanted.length === labels.length &&
    wanted.every((pattern, index) => matchesLabel(pattern, labels[index] ?? ''))
  )
}

function matchesLabel(pattern: string, label: string): boolean {
  const [start = '', ...others] = pattern.split('*')
  const end = others.pop()
  if (end === undefined) return pattern === label
  // More than one `*` in a label is not supported; such an entry matches nothing.
  return (
    others.length === 0 &&
    label.length >= start.length + end.length &&
    label.startsWith(start) &&
    label.endsWith(end)
  )
}
