import { isLocalRegistry, registryApi, registryName } from '@slipway/agent-spec'

/** Where images are pushed: a registry, and optionally a path in it. */
export interface RegistryLocation {
  /** `http://host:port` or `https://host:port`. */
  readonly origin: string
  /** What comes before the name of a repository in a reference: `host:port/` or `host/path/`. */
  readonly prefix: string
  /** The same in the registry's API, without the host: empty or `path/`. */
  readonly path: string
}

const LOCATION = /^(?:(https?|oci):\/\/)?([\w.-]+|\[[\da-fA-F:]+\])(:\d+)?((?:\/[\w.-]+)*)\/*$/

/**
 * Parses `[http://|https://|oci://]host[:port][/path]`. Like other OCI clients, uses plain HTTP for
 * this machine and HTTPS for others, unless the scheme is http or `insecure` is set. Throws if it
 * isn't such a location.
 */
export function parseRegistry(text: string, insecure = false): RegistryLocation {
  const [, scheme, host = '', port = '', path = ''] = LOCATION.exec(text) ?? []
  const registry = registryName(`${host}${port}`)
  if (registry === undefined || path !== path.toLowerCase()) {
    throw new Error(
      `${JSON.stringify(text)} is not a registry; give its host, port (1 to 65535, without ` +
        'leading zeros) and path (in lower case), as in registry.example.com/team',
    )
  }
  const isPlain =
    scheme === 'http' || ((isLocalRegistry(registry) || insecure) && scheme !== 'https')
  // 443 is the default port of https only.
  const api = isPlain ? `${host}${port}` : registryApi(registry)
  return {
    origin: new URL(`${isPlain ? 'http' : 'https'}://${api}`).origin,
    prefix: `${registry}${path}/`,
    path: path === '' ? '' : `${path.slice(1)}/`,
  }
}
