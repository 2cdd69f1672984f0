import { expect, test } from 'vitest'

import { redactSecrets } from './redact.ts'

test.each([
  ['in plain', 'Invalid value: "my-secret-value": too long', ['my-secret-value']],
  ['in base64', `data: ${Buffer.from('my-secret-value').toString('base64')}`, ['my-secret-value']],
  ['escaped', 'value "line\\"quoted-secret" is bad', ['line"quoted-secret']],
  ['cut', 'Invalid value: "my-secret-val...', ['my-secret-value']],
  ['twice', 'my-secret-value and my-secret-value', ['my-secret-value']],
  ['one in another', 'got secret-value-longer', ['secret-value', 'secret-value-longer']],
  [
    'a line of several',
    'the line second-secret-line is bad',
    ['first-line-text\nsecond-secret-line\n'],
  ],
  ['a short one', 'the pin 123 is bad', ['123']],
])('takes a value out of a message: %s', (_how, message, values) => {
  const redacted = redactSecrets(message, values)
  expect(redacted).toContain('[redacted]')
  const parts = values.flatMap((value) => value.split('\n')).filter((line) => line !== '')
  for (const part of parts.flatMap((line) => [line, line.slice(0, 8)]))
    expect(redacted).not.toContain(part)
})

test('leaves other messages as they are', () => {
  const message =
    'secrets "a" is forbidden: exceeded quota: q, requested: secrets=1, used: secrets=3, limited: secrets=3'
  expect(redactSecrets(message, ['my-secret-value', ''])).toBe(message)
})
