/** Where images are pushed: a registry, and optionally a path in it. */
export interface RegistryLocation {
  /** `http://host:port` or `https://host:port`. */
  readonly origin: string
  /** What comes before the name of a repository in a reference: `host:port/` or `host/path/`. */
  readonly prefix: string
  /** The same in the registry's API, without the host: empty or `path/`. */
  readonly path: string
}

const LOCATION = /^(?:(https?|oci):\/\/)?([\w.-]+|\[[\da-fA-F:]+\])(:\d{1,5})?((?:\/[\w.-]+)*)\/*$/

/**
 * Parses `[http://|https://|oci://]host[:port][/path]`. Like other OCI clients, uses plain HTTP for
 * this machine and HTTPS for others, unless the scheme is http or `insecure` is set. Throws if it
 * isn't such a location.
 */
export function parseRegistry(text: string, insecure = false): RegistryLocation {
  const [, scheme, host = '', port = '', path = ''] = LOCATION.exec(text) ?? []
  if (host === '' || path !== path.toLowerCase()) {
    throw new Error(
      `${JSON.stringify(text)} is not a registry; give its host, port and path (in lower case), ` +
        'as in registry.example.com/team',
    )
  }
  const isLocal = host === 'localhost' || host === '[::1]' || host.startsWith('127.')
  const isPlain = scheme === 'http' || ((isLocal || insecure) && scheme !== 'https')
  return {
    origin: `${isPlain ? 'http' : 'https'}://${host}${port}`,
    prefix: `${host}${port}${path}/`,
    path: path === '' ? '' : `${path.slice(1)}/`,
  }
}
