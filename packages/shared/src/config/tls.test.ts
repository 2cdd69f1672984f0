import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { testAuthority, type TestAuthority } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { parseConfig } from './config.ts'
import { parseServerCertificate, parseTrustedCa, readServerCertificate } from './tls.ts'

/** A file that is not PEM. */
const TEXT = fileURLToPath(import.meta.url)

const directory = mkdtempSync(join(tmpdir(), 'slipway-tls-'))
const empty = join(directory, 'empty')
writeFileSync(empty, '')
let authority: TestAuthority
beforeAll(async () => {
  authority = await testAuthority()
})
afterAll(async () => {
  rmSync(directory, { recursive: true })
  await authority[Symbol.asyncDispose]()
})

describe('readServerCertificate', () => {
  const read = (env: Record<string, string>) =>
    parseConfig(env, (reader) => ({ certificate: readServerCertificate(reader) })).certificate

  test('needs neither file', () => {
    expect(read({})).toBeUndefined()
  })

  const NOT_PEM =
    'RPC_TLS_CERT_FILE, RPC_TLS_KEY_FILE: must be a certificate chain and its key in PEM ('
  test.each([
    [{ RPC_TLS_CERT_FILE: TEXT }, 'RPC_TLS_CERT_FILE, RPC_TLS_KEY_FILE: must be set together'],
    [{ RPC_TLS_CERT_FILE: '/none' }, 'RPC_TLS_CERT_FILE: the file cannot be read (ENOENT)'],
    [{ RPC_TLS_CERT_FILE: TEXT, RPC_TLS_KEY_FILE: TEXT }, NOT_PEM],
    // With empty ones, a listener would start and accept no connection.
    [{ RPC_TLS_CERT_FILE: empty, RPC_TLS_KEY_FILE: empty }, NOT_PEM],
  ])('reports what is wrong with %o', (env, problem) => {
    expect(() => read(env)).toThrow(problem)
  })
})

test('parseServerCertificate refuses the key of another certificate', async () => {
  const own = await authority.issue('own')
  const other = await authority.issue('other')
  expect(parseServerCertificate(own.chain, own.key)).toEqual({ chain: own.chain, key: own.key })
  expect(() => parseServerCertificate(own.chain, other.key)).toThrow('and its key in PEM')
})

describe('parseTrustedCa', () => {
  const parse = (pem: string) => {
    const problems: string[] = []
    return { ca: parseTrustedCa(pem, (problem) => problems.push(problem)), problems }
  }
  const damaged = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'

  test('uses the valid certificates, wherever they are, and reports the others', () => {
    const { ca } = authority
    expect(parse(`# ours\n${ca}`)).toEqual({ ca: ca.trim(), problems: [] })
    const both = parse(`${damaged}${ca}${ca.slice(0, 200)}`)
    expect(both.ca).toBe(ca.trim())
    expect(both.problems).toEqual([
      expect.stringMatching(/^certificate 1 of 3: /),
      expect.stringMatching(/^certificate 3 of 3: /),
    ])
  })

  test.each(['', 'text', damaged])('refuses %j, without a valid certificate', (pem) => {
    expect(() => parse(pem)).toThrow('must have at least one certificate in PEM')
  })
})
