import { expect, test } from 'vitest'

import { redactLog } from './redact-log.ts'

const SECRET = 'pa$$ "word"/x=+ö'
const KEY = '-----BEGIN KEY-----\nMIIEvQIBADANBg\nq3Fz+Zk1\n-----END KEY-----\n'

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
const everyByte = (text: string, before: string) =>
  text.replace(/\W/g, (sign) => Buffer.from(sign).toString('hex').replace(/../g, `${before}$&`))

async function* chunksOf(log: Uint8Array, size: number) {
  for (let at = 0; at < log.length; at += size) yield log.subarray(at, at + size)
}

async function redactedBytes(
  log: Uint8Array,
  { values = [SECRET], size = 1000, timestamps = false, limitBytes = 1e9 } = {},
): Promise<Buffer> {
  const redaction = { values, timestamps, limitBytes }
  return Buffer.concat(await Array.fromAsync(redactLog(chunksOf(log, size), redaction)))
}

const redacted = async (log: string, options: Parameters<typeof redactedBytes>[1] = {}) =>
  (await redactedBytes(Buffer.from(log), options)).toString()

test.each([
  ['plain text', SECRET],
  ['JSON', JSON.stringify(SECRET).slice(1, -1)],
  [
    'JSON in ASCII',
    JSON.stringify(SECRET)
      .slice(1, -1)
      .replace('ö', String.raw`\u00f6`),
  ],
  ['a URL', encodeURIComponent(SECRET)],
  ['a URL with small digits', encodeURIComponent(SECRET).replace(/%../g, (x) => x.toLowerCase())],
  ['a form', new URLSearchParams([['', SECRET]]).toString().slice(1)],
  ['base64', Buffer.from(SECRET).toString('base64')],
  ['base64 for URLs', Buffer.from(SECRET).toString('base64url')],
  ['JSON in JSON', inJson(inJson(SECRET))],
  ['JSON in JSON in JSON', inJson(inJson(inJson(SECRET)))],
  ['JSON with escaped slashes', inJson(SECRET).replaceAll('/', String.raw`\/`)],
  ['JSON in a URL', encodeURIComponent(inJson(SECRET))],
  ['a URL in a URL', encodeURIComponent(encodeURIComponent(SECRET))],
  ['a URL with every special character escaped', everyByte(SECRET, '%')],
  ['bytes of Python', everyByte(SECRET, String.raw`\x`)],
  ['HTML', SECRET.replaceAll('"', '&quot;').replace('ö', '&#246;')],
  ['HTML in HTML', SECRET.replaceAll('"', '&amp;quot;').replace('ö', '&amp;#xF6;')],
  ['hexadecimal digits', Buffer.from(SECRET).toString('hex')],
  ['large hexadecimal digits', Buffer.from(SECRET).toString('hex').toUpperCase()],
])('redacts a value as %s, in chunks of any size', async (_form, shown) => {
  for (const size of [1, 2, 3, 7, 1000]) {
    const log = `before ${shown} after\nnext ${shown}${shown}`
    expect(await redacted(log, { size })).toBe('before [redacted] after\nnext [redacted][redacted]')
  }
})

test.each(['u', 'us', 'use', 'user'])('redacts the base64 of %s:VALUE', async (user) => {
  const basic = Buffer.from(`${user}:token-of-the-user!`).toString('base64')
  const log = await redacted(`Basic ${basic}\n`, { values: ['token-of-the-user!'] })
  expect(log).toMatch(/^Basic \S{0,8}\[redacted\]\S{0,4}\n$/)
})

test('redacts the lines of a value, and all of it', async () => {
  const values = [KEY]
  expect(await redacted(KEY, { values })).toBe('[redacted]')
  expect(await redacted(`a MIIEvQIBADANBg\nb q3Fz+Zk1\n`, { values, size: 5 })).toBe(
    'a [redacted]\nb [redacted]\n',
  )
})

test.each([64, 76])('redacts base64 that is broken into lines of %i', async (width) => {
  const base64 = Buffer.from(KEY.repeat(3)).toString('base64')
  const broken = base64.match(new RegExp(`.{1,${width}}`, 'g')) ?? []
  for (const line of broken.filter(({ length }) => length >= 8))
    expect(await redacted(`x ${line}\n`, { values: [KEY.repeat(3)] })).toBe('x [redacted]\n')
})

test('redacts the lines of a value that has them escaped', async () => {
  const values = [KEY.replaceAll('\n', String.raw`\n`)]
  expect(await redacted(`a MIIEvQIBADANBg\nb q3Fz+Zk1\n`, { values })).toBe(
    'a [redacted]\nb [redacted]\n',
  )
})

test('shows no value that the start of the log cuts', async () => {
  const values = [SECRET, 'another-value']
  for (const timestamp of ['', '2026-11-28T03:00:00.123Z ']) {
    const options = { values, timestamps: timestamp !== '' }
    const log = (line: string) => redacted(`${timestamp}${line} x\n`, options)
    expect(await log(SECRET.slice(3))).toBe(`${timestamp}[redacted] x\n`)
    expect(await log(inJson(SECRET).slice(4))).toBe(`${timestamp}[redacted] x\n`)
    expect(await log('value')).toBe(`${timestamp}value x\n`)
  }
})

test('redacts values that overlap, and leaves nothing of either', async () => {
  expect(await redacted('x abcdefgh y\n', { values: ['abcdef', 'efgh', 'cd'] })).toBe(
    'x [redacted] y\n',
  )
})

test('redacts a short value only where it is a word', async () => {
  expect(await redacted('pin 123, 1234 and a123\n', { values: ['123', ''] })).toBe(
    'pin [redacted], 1234 and a123\n',
  )
})

test('leaves the times of lines, and redacts what follows', async () => {
  const log = '2026-11-28T03:00:00.123Z 2026-11 in 2026\n2026-11-28T03:00:01Z x\n'
  expect(await redacted(log, { values: ['2026', '11'], timestamps: true })).toBe(
    '2026-11-28T03:00:00.123Z [redacted]-[redacted] in [redacted]\n2026-11-28T03:00:01Z x\n',
  )
})

test('redacts a value anywhere in a line that never ends', async () => {
  for (const shift of [0, 1, 5, 10, SECRET.length - 1]) {
    const before = 'y'.repeat(64 * 1024 - shift)
    const log = `${before}${SECRET}${before}${SECRET}${before}`
    expect(await redacted(log)).toBe(`${before}[redacted]${before}[redacted]${before}`)
  }
})

test('hides the rest of a line where too many values may begin', async () => {
  const values = Array.from({ length: 1100 }, (_, index) => `alike-value-${index}`)
  expect(await redacted('x alike-value-7 y\nz\n', { values })).toBe('x [redacted]\nz\n')
})

test('reads a log with values of a hundred thousand lines', async () => {
  const values = Array.from({ length: 10 }, (_, value) =>
    Array.from({ length: 10_000 }, (_, line) => `"${(value * 10_000 + line) ** 3}"/`).join('\n'),
  )
  const log = Buffer.from(`${'an ordinary line of a log\n'.repeat(40_000)}"${777 ** 3}"/\n`)
  const read = await redactedBytes(log, { values, size: 64 * 1024 })
  expect(read.subarray(-30).toString()).toBe('n ordinary line of a log\n[redacted]\n'.slice(-30))
})

test('shows no value that the end of the log cuts', async () => {
  const log = `one\ntwo ${SECRET}`.slice(0, -2)
  expect(await redacted(log)).toBe('one\ntwo [redacted]')
  expect(await redacted('postgres is up', { values: ['postgres://user:word@host/name'] })).toBe(
    'postgres is up',
  )
  expect(await redacted(log, { limitBytes: Buffer.byteLength(log) })).toBe('one\n')
})

test('passes on what is not UTF-8, and the order of chunks', async () => {
  const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256))
  expect(await redactedBytes(bytes, { size: 7 })).toEqual(bytes)
})

test.each([
  ['values that nearly match', 'a', `${'a'.repeat(1000)}b`],
  ['nothing but line ends', '\n', 'some-value'],
  ['nothing but signs of forms', '+', 'some-value'],
  ['nothing but backslashes', '\\', 'some-value'],
  ['nothing but percent signs', '%25', 'some-value'],
])('reads a large log with %s', async (_what, unit, value) => {
  const values = Array.from({ length: 50 }, (_, index) => `${value}"${index}`)
  const log = Buffer.from(`${unit.repeat(2 * 1024 * 1024)}\n`)
  const read = await redactedBytes(log, { values, size: 64 * 1024, timestamps: true })
  expect(read.equals(log)).toBe(true)
})
