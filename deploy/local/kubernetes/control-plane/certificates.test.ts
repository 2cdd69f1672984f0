import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureCertificates } from './certificates.ts'

const parent = mkdtempSync(join(tmpdir(), 'slipway-certificates-'))
const directory = join(parent, 'credentials')
const read = (name: string) => readFileSync(join(directory, name), 'utf8')
const requests = [
  { name: 'server', commonName: 'server', dnsNames: ['a.example'], addresses: ['127.0.0.1'] },
  { name: 'client', commonName: 'somebody', organization: 'system:masters' },
]

beforeAll(async () => await ensureCertificates(directory, requests))
afterAll(() => rmSync(parent, { recursive: true }))

describe('ensureCertificates', () => {
  const authority = () => new X509Certificate(read('ca.crt'))

  test.each(['server', 'client'])(
    'the authority signs %s, which is not an authority itself and has the right key',
    (name) => {
      const certificate = new X509Certificate(read(`${name}.crt`))
      expect(certificate.verify(authority().publicKey)).toBe(true)
      expect(certificate.checkIssued(authority())).toBe(true)
      expect(certificate.ca).toBe(false)
      expect(certificate.checkPrivateKey(createPrivateKey(read(`${name}.key`)))).toBe(true)
    },
  )

  test('uses the requested names and addresses, and lets only a server serve', () => {
    const server = new X509Certificate(read('server.crt'))
    expect(server.checkHost('a.example')).toBe('a.example')
    expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1')
    const client = new X509Certificate(read('client.crt'))
    expect(client.subject).toBe('O=system:masters\nCN=somebody')
    expect(client.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
  })

  test('lets only the owner read keys, and keeps them in a second call', async () => {
    expect(statSync(join(directory, 'ca.key')).mode & 0o777).toBe(0o600)
    const before = read('server.key')
    await ensureCertificates(directory, requests)
    expect(read('server.key')).toBe(before)
  })

  test('signs later requests with the same authority', async () => {
    const before = read('ca.crt')
    await ensureCertificates(directory, [...requests, { name: 'late', commonName: 'late' }])
    expect(read('ca.crt')).toBe(before)
    expect(new X509Certificate(read('late.crt')).verify(authority().publicKey)).toBe(true)
  })
})
