import { expect, test } from 'vitest'

import { parseConfig } from '../config/config.ts'
import { readDatabaseUrl } from './database-url.ts'

const read = (url: string) =>
  parseConfig({ DATABASE_URL: url }, (reader) => ({ url: readDatabaseUrl(reader) })).url

test('a URL with readable files is returned as it is', () => {
  const url = `postgres://db.example/x?sslmode=verify-full&sslrootcert=${import.meta.filename}`
  expect(read(url)).toBe(url)
})

test.each([
  'postgres://app:a#b@db.example/x',
  'postgres://app:a/b@db.example/x',
  'db.example',
  'x:y',
])('a value that is not a URL is reported, without its password: %s', (url) => {
  let message = ''
  try {
    read(url)
  } catch (error) {
    message = String(error)
  }
  expect(message).toContain('characters of the password percent-encoded')
  expect(message).not.toContain('a#b')
  expect(message).not.toContain('a/b')
})

test('a file that cannot be read is reported', () => {
  expect(() => read('postgres://db.example/x?sslmode=verify-full&sslrootcert=/none')).toThrow(
    'DATABASE_URL: sslrootcert: the file cannot be read',
  )
})
