import { expect, test } from 'vitest'

import { hasSessionCookie, readCookies, SESSION_COOKIE } from './cookies.ts'

const cookiesOf = (cookie: string) => [
  ...readCookies({ headers: { cookie } }, SESSION_COOKIE).entries(),
]

test('reads the cookie of a session among others', () => {
  expect(cookiesOf(`a=b;\t${SESSION_COOKIE} = x=y ; c`)).toEqual([[SESSION_COOKIE, 'x=y']])
  expect(hasSessionCookie({ headers: { cookie: `a=b; ${SESSION_COOKIE}=x` } })).toBe(true)
  expect(hasSessionCookie({ headers: {} })).toBe(false)
})

test('ignores names that another host of the domain can set', () => {
  for (const character of ['\u00a0', '\u0085', '\ufeff', '\v', '\f', 'x']) {
    const cookie = `${character}${SESSION_COOKIE}=theirs`
    expect(cookiesOf(cookie)).toEqual([])
    expect(cookiesOf(`${cookie}; ${SESSION_COOKIE}=own`)).toEqual([[SESSION_COOKIE, 'own']])
    expect(hasSessionCookie({ headers: { cookie } })).toBe(false)
  }
})

test('trusts no name with several values', () => {
  expect(cookiesOf(`${SESSION_COOKIE}=a; ${SESSION_COOKIE}=b; ${SESSION_COOKIE}=c`)).toEqual([])
})

test('reads megabytes of blanks within a name or value once', () => {
  const blanks = ' \t'.repeat(2 ** 20)
  expect(cookiesOf(`a${blanks}b=1; ${SESSION_COOKIE}${blanks}=${blanks}x${blanks}`)).toEqual([
    [SESSION_COOKIE, 'x'],
  ])
})
