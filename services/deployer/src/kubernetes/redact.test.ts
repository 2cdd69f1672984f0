import { expect, test } from 'vitest'

import { redactSecrets } from './redact.ts'

test.each([
  ['plain text', 'Invalid value: "my-secret-value": too long', ['my-secret-value']],
  ['base64', `data: ${Buffer.from('my-secret-value').toString('base64')}`, ['my-secret-value']],
  ['JSON-escaped', 'value "line\\"quoted-secret" is bad', ['line"quoted-secret']],
  ['escaped twice', String.raw`{\"data\":\"line\\\"quoted-secret`, ['line"quoted-secret']],
  ['escaped and truncated', String.raw`value "line\"quoted-se`, ['line"quoted-secret']],
  ['in hexadecimal digits', `is ${Buffer.from('my-secret').toString('hex')}`, ['my-secret']],
  ['truncated', 'Invalid value: "my-secret-val...', ['my-secret-value']],
  ['twice', 'my-secret-value and my-secret-value', ['my-secret-value']],
  ['one value in another', 'got secret-value-longer', ['secret-value', 'secret-value-longer']],
  [
    'one line of several',
    'the line second-secret-line is bad',
    ['first-line-text\nsecond-secret-line\n'],
  ],
  ['a short value', 'the pin 123 is bad', ['123']],
])('redacts a value in a message: %s', (_how, message, values) => {
  const redacted = redactSecrets(message, values)
  expect(redacted).toContain('[redacted]')
  const parts = values.flatMap((value) => value.split('\n')).filter((line) => line !== '')
  for (const part of parts.flatMap((line) => [line, line.slice(0, 8)]))
    expect(redacted).not.toContain(part)
})

test('keeps messages without secret values', () => {
  const message =
    'secrets "a" is forbidden: exceeded quota: q, ' +
    'requested: secrets=1, used: secrets=3, limited: secrets=3'
  expect(redactSecrets(message, ['my-secret-value', ''])).toBe(message)
})
