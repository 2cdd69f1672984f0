import { BlockList, isIP } from 'node:net'

/** A block of IP addresses. */
export interface Cidr {
  readonly text: string
  readonly address: string
  readonly family: 'ipv4' | 'ipv6'
  readonly prefix: number
}

/** Parses a block such as `10.0.0.0/8` or `fc00::/7`; undefined if it isn't one. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', length = '', ...rest] = text.split('/')
  const version = isIP(address)
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  const isValid = version !== 0 && prefix <= (version === 4 ? 32 : 128) && rest.length === 0
  return isValid ? { text, address, family: version === 4 ? 'ipv4' : 'ipv6', prefix } : undefined
}

/** Returns the blocks that no other block contains. */
export function withoutNested(blocks: readonly Cidr[]): Cidr[] {
  return blocks.filter(
    (block, index) =>
      !blocks.some(
        (other, place) => contains(other, block) && (other.prefix < block.prefix || place < index),
      ),
  )
}

function contains(outer: Cidr, inner: Cidr): boolean {
  if (outer.family !== inner.family || outer.prefix > inner.prefix) return false
  const list = new BlockList()
  list.addSubnet(outer.address, outer.prefix, outer.family)
  return list.check(inner.address, inner.family)
}
