import { expect, test } from 'vitest'

import { parseSecrets } from './parse-secrets.ts'

test('reads dotenv lines, also with the line ends of Windows', () => {
  const text = '\uFEFF# comment\r\nexport A=1\r\nB="two\nlines"\r\nC=\'#3\'\r\nD=\r\n'
  expect(parseSecrets(text)).toEqual({ A: '1', B: 'two\nlines', C: '#3', D: '' })
})

test('reads JSON', () => {
  expect(parseSecrets(' {"A": "1", "B": "=\\n"}')).toEqual({ A: '1', B: '=\n' })
})

test('an empty input has no credentials', () => {
  expect([parseSecrets(''), parseSecrets('\n# nothing\n')]).toEqual([{}, {}])
})

test.each(['{"A": "secret-4711"', '{"A": ["secret-4711"]}', 'secret-4711'])(
  'an error about %j has no value',
  (text) => {
    expect(() => parseSecrets(text)).toThrow(/it is not valid JSON|A is not a text|has no line/)
    expect(() => parseSecrets(text)).not.toThrow('secret-4711')
  },
)
