import { isIPv4, isIPv6 } from 'node:net'

/** How Node reports the IPv4 clients of a dual-stack listener. */
const MAPPED_PREFIX = '::ffff:'
const GROUPS = 8
/** Groups of an IPv6 address that identify the network: a client usually owns its whole /64. */
const NETWORK_GROUPS = 4

/**
 * Returns the network that a client address counts for: an IPv4 address is its own network, an IPv6
 * address belongs to its /64, in the notation of RFC 5952 (`2001:db8::/64`), and an IPv4-mapped
 * IPv6 address is treated as the IPv4 address. Anything else is returned unchanged.
 */
export function networkOf(address: string): string {
  // The test of Node is a long regular expression, and most addresses are IPv4.
  if (!address.includes(':') || !isIPv6(address)) return address
  if (address.startsWith(MAPPED_PREFIX)) {
    const rest = address.slice(MAPPED_PREFIX.length)
    if (isIPv4(rest)) return rest
  }
  const groups = groupsOf(address)
  if (isMappedIPv4(groups)) return dottedIPv4(groups)
  // The host part is zero, so it and the zeros before it are always the run that `::` replaces.
  const network = groups.slice(0, NETWORK_GROUPS)
  while (network.at(-1) === 0) network.pop()
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/** The eight 16-bit groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [withoutZone = ''] = address.split('%', 1)
  const [head = '', tail = ''] = withoutZone.split('::')
  const first = parseGroups(head)
  const last = parseGroups(tail)
  const zeros = Array<number>(GROUPS - first.length - last.length).fill(0)
  return [...first, ...zeros, ...last]
}

function parseGroups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}

/** Whether the address is in ::ffff:0:0/96. */
function isMappedIPv4(groups: readonly number[]): boolean {
  return groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
}

function dottedIPv4(groups: readonly number[]): string {
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}
