/** The registry of references that name none. */
export const DOCKER_HUB = 'docker.io'
const DOCKER_HUB_API = 'registry-1.docker.io'
/** Other names of Docker Hub. */
const DOCKER_HUB_ALIASES = ['index.docker.io', DOCKER_HUB_API]

/**
 * The grammar of https://github.com/distribution/reference, which nodes use. It also takes ports
 * that don't exist, and leading zeros, with which one port would have many names.
 */
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?'
const HOST = new RegExp(
  String.raw`^(?:${LABEL}(?:\.${LABEL})*|\[[a-fA-F0-9:]+\])(?::[1-9][0-9]{0,4})?$`,
)

/** The origins (`https://host`) at which registries may ask for a login, by registryName. */
export type RegistryRealms = ReadonlyMap<string, ReadonlySet<string>>

/** Public registries whose token endpoints are at another host. */
const KNOWN_REALMS: RegistryRealms = new Map([
  [DOCKER_HUB, new Set(['https://auth.docker.io'])],
  ['registry.digitalocean.com', new Set(['https://api.digitalocean.com'])],
  ['registry.gitlab.com', new Set(['https://gitlab.com'])],
])

/**
 * Returns the one name of a registry for all spellings of `host` or `host:port`: in lower case,
 * without the default port, with addresses as browsers write them, and `docker.io` for Docker Hub.
 * Undefined if it is not valid.
 */
export function registryName(host: string): string | undefined {
  const name = HOST.test(host) ? URL.parse(`https://${host}`)?.host : undefined
  return name !== undefined && DOCKER_HUB_ALIASES.includes(name) ? DOCKER_HUB : name
}

/** Returns the `host` or `host:port` of a registry's API, for a name that registryName returns. */
export function registryApi(registry: string): string {
  return registry === DOCKER_HUB ? DOCKER_HUB_API : registry
}

/** Whether a registry, as registryName returns it, is this machine, which needs no TLS. */
export function isLocalRegistry(registry: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::|$)/.test(registry)
}

/**
 * Whether a login of a registry may be sent to a token endpoint that the registry names: at its own
 * origin, at the known one of a public registry, or at one of `listed`.
 */
export function isRealmOf(origin: string, realm: URL, listed?: RegistryRealms): boolean {
  if (realm.origin === origin) return true
  const registry = registryName(new URL(origin).host) ?? ''
  return [KNOWN_REALMS, listed].some((realms) => realms?.get(registry)?.has(realm.origin))
}

/**
 * Parses entries of the form `registry=https://host[:port]`. Throws an Error that names the wrong
 * entry.
 */
export function parseRegistryRealms(entries: readonly string[]): RegistryRealms {
  const realms = new Map<string, Set<string>>()
  for (const entry of entries) {
    const [host = '', ...rest] = entry.split('=')
    const registry = registryName(host)
    const url = URL.parse(rest.join('='))
    const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
    if (registry === undefined || !isOrigin)
      throw new Error(
        `${entry} must be a registry and the origin of its token endpoint, ` +
          'e.g. registry.example.com=https://auth.example.com',
      )
    realms.set(registry, (realms.get(registry) ?? new Set()).add(url.origin))
  }
  return realms
}
