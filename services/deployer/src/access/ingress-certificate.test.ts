import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createLogger } from '@slipway/shared/logger'
import { testAuthority } from '@slipway/testing'
import { expect, test } from 'vitest'

import { IngressCertificate } from './ingress-certificate.ts'

test('names the missing key, and is ready once the certificate was valid', async () => {
  await using authority = await testAuthority()
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'slipway-ingress-'))
  cleanup.defer(() => rm(folder, { recursive: true }))
  const files = { chain: join(folder, 'tls.crt'), key: join(folder, 'tls.key') }
  const { chain, key } = await authority.issue('agents')
  await writeFile(files.chain, chain)

  const lines: string[] = []
  const logger = createLogger('test', 'info', { write: (line) => lines.push(line) })
  using certificate = new IngressCertificate(files, logger)
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      setting: 'INGRESS_TLS_CERT_FILE',
      problem: `INGRESS_TLS_KEY_FILE, ${files.key}: the file can't be read (ENOENT)`,
    }),
  ])
  await expect(certificate.check()).rejects.toThrow('certificate for exposed components')
  await writeFile(files.key, key)
  await certificate.check()
  expect(certificate.current()).toEqual({ chain, key })
  await writeFile(files.key, 'damaged')
  await certificate.check()
})
