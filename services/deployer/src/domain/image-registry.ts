/** Suffixes of names that exist only inside networks. */
const INTERNAL_SUFFIXES = [
  'arpa',
  'corp',
  'home',
  'internal',
  'intranet',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'private',
  'svc',
]
/** The last label of a host that resolvers read as an IPv4 address, e.g. `10.1` or `0x7f000001`. */
const NUMBER = /^(\d+|0x[\da-f]*)$/

/**
 * Whether a registry is an IP address or has a name that only internal networks know: one without a
 * dot, or with a suffix that isn't public.
 */
export function isInternalRegistry(registry: string): boolean {
  const host = registry.replace(/:\d*$/, '').replace(/\.$/, '')
  const labels = host.split('.')
  return (
    host.includes(':') ||
    labels.length === 1 ||
    NUMBER.test(labels.at(-1) ?? '') ||
    INTERNAL_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`))
  )
}
