import type { Cluster } from '@kubernetes/client-node'

const SUPPORTED_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:'])

/**
 * Returns the proxy in front of a cluster's API server: the `proxy-url` of its kubeconfig.
 * Undefined when there is none. Throws an Error when it isn't an http or https URL. The message
 * doesn't quote the URL, which may contain a password.
 */
export function readProxyUrl({
  name,
  proxyUrl,
}: Pick<Cluster, 'name' | 'proxyUrl'>): string | undefined {
  if (proxyUrl === undefined || proxyUrl === '') return undefined
  const protocol = URL.parse(proxyUrl)?.protocol
  if (protocol !== undefined && SUPPORTED_SCHEMES.has(protocol)) return proxyUrl
  const problem = protocol === undefined ? 'is not a URL' : `has the scheme ${protocol}`
  throw new Error(
    `KUBECONFIG: the proxy-url of the cluster ${JSON.stringify(name)} ${problem}; ` +
      'set it to an http:// or https:// proxy, or remove it',
  )
}
