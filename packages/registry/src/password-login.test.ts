import { expect, test } from 'vitest'

import { basicAuthorization, readPassword } from './password-login.ts'

const auth = (text: string) => Buffer.from(text).toString('base64')

test.each([
  [{ auth: auth('robot:a:b') }, { user: 'robot', password: 'a:b' }],
  [{ auth: auth('robot:secret\0\0') }, { user: 'robot', password: 'secret' }],
  [
    { auth: auth('new:1'), username: 'old', password: '2' },
    { user: 'new', password: '1' },
  ],
  [
    { username: 'robot', password: 'secret' },
    { user: 'robot', password: 'secret' },
  ],
  [{ auth: auth(':secret') }, { user: '', password: 'secret' }],
])('reads the entry %j', (entry, login) => {
  expect(readPassword(entry)).toEqual(login)
})

test.each([null, {}, 'x', { auth: '!' }, { auth: 1, username: ['a'] }, { identitytoken: 'x' }])(
  'finds no password in %j',
  (entry) => {
    expect(readPassword(entry)).toBeUndefined()
  },
)

test('keeps what it has read in the header', () => {
  const header = basicAuthorization({ user: 'robot', password: 'a:ü' })
  expect(readPassword({ auth: header.slice('Basic '.length) })).toEqual({
    user: 'robot',
    password: 'a:ü',
  })
})
