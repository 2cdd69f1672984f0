import { expect, test } from 'vitest'

import { parseCidr, withoutNested } from './cidr.ts'

test.each([
  ['10.0.0.0/8', { address: '10.0.0.0', family: 'ipv4', prefix: 8 }],
  ['fc00::/7', { address: 'fc00::', family: 'ipv6', prefix: 7 }],
  ['0.0.0.0/0', { prefix: 0 }],
])('parses %s', (text, block) => {
  expect(parseCidr(text)).toMatchObject(block)
})

test.each(['10.0.0.0', '10.0.0.0/33', '10.0.0/8', 'fc00::/129', '/8', '10.0.0.0/8/8', 'a/8'])(
  'rejects %s',
  (text) => {
    expect(parseCidr(text)).toBeUndefined()
  },
)

test.each([
  [
    ['169.254.0.0/16', '169.254.169.254/32', '10.0.0.0/8'],
    ['169.254.0.0/16', '10.0.0.0/8'],
  ],
  [['fd00:ec2::254/128', 'fc00::/7'], ['fc00::/7']],
  [['fe80::/10', 'FE80::/10', 'fe80::1/10'], ['fe80::/10']],
  [
    ['10.0.0.0/8', '::a00:0/104'],
    ['10.0.0.0/8', '::a00:0/104'],
  ],
])('of %j keeps %j', (texts, kept) => {
  const blocks = texts.map(parseCidr).filter((block) => block !== undefined)
  expect(withoutNested(blocks).map(({ text }) => text)).toEqual(kept)
})
