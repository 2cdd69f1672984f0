import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import { parseConfig } from './config.ts'
import { readServerCertificate, readTrustedCa } from './tls.ts'

/** A file that is not PEM. */
const TEXT = fileURLToPath(import.meta.url)

describe('readServerCertificate', () => {
  const read = (env: Record<string, string>) =>
    parseConfig(env, (reader) => ({ certificate: readServerCertificate(reader) })).certificate

  test('needs neither file', () => {
    expect(read({})).toBeUndefined()
  })

  test.each([
    [{ RPC_TLS_CERT_FILE: TEXT }, 'RPC_TLS_CERT_FILE, RPC_TLS_KEY_FILE: must be set together'],
    [{ RPC_TLS_CERT_FILE: '/none' }, 'RPC_TLS_CERT_FILE: the file cannot be read (ENOENT)'],
    [
      { RPC_TLS_CERT_FILE: TEXT, RPC_TLS_KEY_FILE: TEXT },
      'RPC_TLS_CERT_FILE, RPC_TLS_KEY_FILE: must be a certificate chain and its key in PEM (',
    ],
  ])('reports what is wrong with %o', (env, problem) => {
    expect(() => read(env)).toThrow(problem)
  })
})

test('readTrustedCa reports a file without a certificate', () => {
  const read = () =>
    parseConfig({ NATS_CA_FILE: TEXT }, (reader) => ({ ca: readTrustedCa(reader, 'NATS_CA_FILE') }))
  expect(read).toThrow('NATS_CA_FILE: must have at least one certificate in PEM (')
})
