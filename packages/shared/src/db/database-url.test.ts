import { testAuthority } from '@slipway/testing'
import { expect, test } from 'vitest'

import { parseConfig } from '../config/config.ts'
import { readDatabaseUrl } from './database-url.ts'

const read = (url: string) =>
  parseConfig({ DATABASE_URL: url }, (reader) => ({ url: readDatabaseUrl(reader) })).url

test('a URL with valid files is returned as it is', async () => {
  await using authority = await testAuthority()
  const { chainFile, keyFile } = await authority.issue('client')
  const url = `postgres://db.example/x?sslmode=verify-full&sslrootcert=${authority.caFile}`
  expect(read(url)).toBe(url)
  expect(read(`${url}&sslcert=${chainFile}&sslkey=${keyFile}`)).toContain(keyFile)
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

test.each([
  ['sslrootcert=/none', "sslrootcert: /none: the file can't be read (ENOENT)"],
  [`sslrootcert=${import.meta.filename}`, 'must have at least one certificate in PEM'],
  [
    `sslcert=${import.meta.filename}&sslkey=${import.meta.filename}`,
    'must be a certificate chain and its key in PEM',
  ],
])('a file that no connection can use is reported: %s', (parameters, problem) => {
  const url = `postgres://db.example/x?sslmode=verify-full&${parameters}`
  expect(() => read(url)).toThrow(problem)
})
