import { expect, test } from 'vitest'

import { isKnownSignIn, sharesProvider, type KnownSignIn } from './known-sign-in.ts'

const KNOWN: KnownSignIn = {
  issuer: 'https://login.example.com/one',
  client_id: 'cli',
  origins: ['https://login.example.com', 'https://device.example.net'],
  audiences: ['api', 'other'],
}

test.each<[string, Partial<KnownSignIn>, boolean]>([
  ['the same issuer and client', {}, true],
  ['the issuer in another spelling', { issuer: 'https://LOGIN.example.com:443/one/' }, true],
  ['another client of the issuer', { client_id: 'other', audiences: undefined }, false],
  ['another client and audience', { client_id: 'other', audiences: ['b'] }, false],
  [
    'another client, and tokens for the same API',
    { client_id: 'x', audiences: ['b', 'api'] },
    true,
  ],
  ['another realm of the same host', { issuer: 'https://login.example.com/two' }, false],
  [
    'an own issuer with the token endpoint of the known one',
    { issuer: 'https://evil.example', client_id: 'x' },
    true,
  ],
  [
    'an own issuer that shows the page of the known one',
    { issuer: 'https://evil.example', origins: ['https://device.example.net'] },
    true,
  ],
  [
    'a provider that has nothing to do with it',
    { issuer: 'https://other.example', origins: ['https://other.example'] },
    false,
  ],
])('a server with %s is compared', (_what, change, isShared) => {
  expect(sharesProvider(KNOWN, { ...KNOWN, ...change })).toBe(isShared)
})

test.each<[string, Partial<KnownSignIn>, boolean]>([
  ['what it was', {}, true],
  ['fewer origins, before there is a token', { origins: [], audiences: undefined }, true],
  ['the endpoints of someone else', { origins: ['https://other.example'] }, false],
  ['tokens for another API', { audiences: ['third'] }, false],
  ['another client', { client_id: 'x' }, false],
])('a server that signs in again with %s', (_what, change, isKnown) => {
  expect(isKnownSignIn(KNOWN, { ...KNOWN, ...change })).toBe(isKnown)
})
