import { BlockList, isIP } from 'node:net'

import { parseCidr } from '../config/cidr.ts'

/** The ranges of iana.org/assignments/iana-ipv4-special-registry, and Azure's metadata server. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** In 2000::/3, to which all public addresses belong. Some of these contain IPv4 addresses. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/**
 * Returns a check whether an IP address belongs to the internet. The operator's `internalRanges`
 * (CIDRs) don't.
 */
export function publicAddresses(internalRanges: readonly string[]): (address: string) => boolean {
  const special = new BlockList()
  const global = new BlockList()
  global.addSubnet('2000::', 3, 'ipv6')
  for (const range of [...SPECIAL_V4, ...SPECIAL_V6, ...internalRanges]) {
    const block = parseCidr(range)
    if (block === undefined) throw new Error(`${range} is not a CIDR`)
    special.addSubnet(block.address, block.prefix, block.family)
  }
  return (address) => {
    switch (isIP(address)) {
      case 4:
        return !special.check(address, 'ipv4')
      case 6:
        return global.check(address, 'ipv6') && !special.check(address, 'ipv6')
      default:
        return false
    }
  }
}
