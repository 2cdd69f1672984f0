import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'

import { publicAddresses } from './public-address.ts'

const isPublic = publicAddresses(['20.0.0.0/8', '2600::/16'])

test.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])(
  '%s is public',
  (address) => {
    expect(isPublic(address)).toBe(true)
  },
)

test.each([
  '10.0.0.5',
  '127.0.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '100.100.100.200',
  '0.0.0.0',
  '255.255.255.255',
  '224.0.0.1',
  '20.1.2.3',
  '::1',
  '::',
  '::ffff:8.8.8.8',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  'fe80::1',
  'fd00::1',
  '2002:a00:1::',
  '2001:0:1::',
  '2600::1',
  'registry.example',
  '',
])('%s is not public', (address) => {
  expect(isPublic(address)).toBe(false)
})

/** Random addresses: of any network, and near the ranges with a special meaning. */
const bytes = (minLength: number) => fc.uint8Array({ minLength, maxLength: minLength })
const starts = ['', '2001', '2002', '0064ff9b', '0064ff9b0001', '00', 'fe', 'fd', '3fff', '5f00']
const addresses = fc.oneof(
  bytes(4).map((all) => ipaddr.fromByteArray([...all]).toString()),
  fc.tuple(fc.constantFrom(...starts), bytes(16)).map(([start, all]) => {
    const head = Buffer.from(start, 'hex')
    return ipaddr.fromByteArray([...head, ...all.subarray(head.length)]).toString()
  }),
)

test('no address is public that ipaddr.js counts for a special range', () => {
  // Servers of the root of DNS for private ranges are on the internet.
  const isUnicast = (address: string) =>
    ['unicast', 'as112', 'as112v6', 'amt'].includes(ipaddr.parse(address).range())
  const found = fc.sample(addresses, 20_000)
  expect(found.filter((address) => isPublic(address) && !isUnicast(address))).toEqual([])
})
