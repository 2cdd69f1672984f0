import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { accountNameProblem, isAccountName, personalAccountNames } from './account-name.ts'

describe('an account name', () => {
  test.each(['ab', 'a1', 'a-b', 'a-1-b', 'x'.repeat(39)])('%s is valid', (name) => {
    expect(accountNameProblem(name)).toBeUndefined()
  })

  test.each([
    '',
    'a',
    '1a',
    '-a',
    'a-',
    'a--b',
    'A',
    'a_b',
    'a.b',
    'a b',
    'ä',
    'а',
    'ab\n',
    'x'.repeat(40),
  ])('%j is invalid', (name) => {
    expect(isAccountName(name)).toBe(false)
    expect(accountNameProblem(name)).toContain('must be')
  })

  test.each([
    'admin',
    'api',
    'livez',
    'readyz',
    'me',
    'docs',
    'operator',
    'onboarding',
    'www',
    'settings',
    'slipway',
  ])('%s is reserved', (name) => {
    expect(accountNameProblem(name)).toBe('is reserved')
  })
})

const noClaims = {
  preferredUsername: undefined,
  email: undefined,
  name: undefined,
  givenName: undefined,
  familyName: undefined,
}
const hex = (digits: number) => '0123456789abcdef'.slice(0, digits)

describe('names for a personal account', () => {
  test.each([
    [{ preferredUsername: 'Ada', email: 'x@example.com' }, 'ada'],
    [{ preferredUsername: '!!', email: 'grace.hopper@example.com' }, 'grace-hopper'],
    [{ name: 'Alan  Turing' }, 'alan-turing'],
    [{ givenName: 'Katherine', familyName: 'Johnson' }, 'katherine-johnson'],
    [{ preferredUsername: 'José Ñandú' }, 'jose-nandu'],
    [{ preferredUsername: '123-four' }, 'four'],
    [{ preferredUsername: '日本語' }, 'user-01234567'],
    [{ preferredUsername: 'x' }, 'user-01234567'],
    [{ preferredUsername: 'root' }, 'root-2'],
    [{ preferredUsername: `${'a'.repeat(38)}-b` }, 'a'.repeat(38)],
    [{}, 'user-01234567'],
  ])('of %j begin with %s', (person, first) => {
    expect(personalAccountNames({ ...noClaims, ...person }, hex).next().value).toBe(first)
  })

  test('are valid for any claims', () => {
    const text = fc.option(fc.string({ unit: 'binary', maxLength: 80 }), { nil: undefined })
    const person = fc.record({
      preferredUsername: text,
      email: text,
      name: text,
      givenName: text,
      familyName: text,
    })
    fc.assert(
      fc.property(person, (who) => {
        for (const name of personalAccountNames(who, hex))
          expect(accountNameProblem(name)).toBeUndefined()
      }),
    )
  })
})
