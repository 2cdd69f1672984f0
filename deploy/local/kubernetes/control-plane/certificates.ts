import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../../process/run-command.ts'

/** A certificate of the cluster: its subject, and the names and addresses that it serves. */
export interface CertificateRequest {
  readonly name: string
  readonly commonName: string
  readonly organization?: string
  readonly dnsNames?: readonly string[]
  readonly addresses?: readonly string[]
}

const VALID_DAYS = 3650

/**
 * Creates what is missing in a directory: a certificate authority (`ca.crt`, `ca.key`) and the
 * requested certificates (`<name>.crt`, `<name>.key`).
 */
export async function ensureCertificates(
  directory: string,
  requests: readonly CertificateRequest[],
): Promise<void> {
  if (!existsSync(directory)) await makeAuthority(directory)
  const missing = requests.filter(({ name }) => !existsSync(join(directory, `${name}.crt`)))
  if (missing.length === 0) return
  const file = (name: string) => join(directory, name)
  const config = writeConfig(directory, missing)
  await Promise.all(
    missing.map(async (request) => {
      writeFileSync(file(`${request.name}.key`), newKey(), { mode: 0o600 })
      const own = [
        '-subj',
        subject(request),
        '-extensions',
        request.name,
        '-key',
        file(`${request.name}.key`),
      ]
      const signer = ['-CA', file('ca.crt'), '-CAkey', file('ca.key')]
      await runCommand('openssl', [
        ...config,
        ...own,
        ...signer,
        '-out',
        file(`${request.name}.crt.new`),
      ])
      // Renamed when it is complete, so an existing certificate is always complete and matches its
      // key.
      renameSync(file(`${request.name}.crt.new`), file(`${request.name}.crt`))
    }),
  )
}

async function makeAuthority(directory: string): Promise<void> {
  const temporary = `${directory}.new`
  rmSync(temporary, { recursive: true, force: true })
  mkdirSync(temporary, { recursive: true, mode: 0o700 })
  const file = (name: string) => join(temporary, name)
  writeFileSync(file('ca.key'), newKey(), { mode: 0o600 })
  const config = writeConfig(temporary, [])
  const authority = [
    '-subj',
    '/CN=slipway-local',
    '-extensions',
    'authority',
    '-key',
    file('ca.key'),
  ]
  await runCommand('openssl', [...config, ...authority, '-out', file('ca.crt')])
  renameSync(temporary, directory)
}

/** Writes the configuration of openssl and returns the arguments that all calls share. */
function writeConfig(directory: string, requests: readonly CertificateRequest[]): string[] {
  const config = join(directory, 'openssl.cnf')
  writeFileSync(config, opensslConfig(requests), { mode: 0o600 })
  return ['req', '-x509', '-new', '-batch', '-days', String(VALID_DAYS), '-config', config]
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'sec1', format: 'pem' }).toString()
}

function subject(request: CertificateRequest): string {
  const { organization, commonName } = request
  return `${organization === undefined ? '' : `/O=${organization}`}/CN=${commonName}`
}

/**
 * Returns a complete openssl.cnf with one section for each certificate, so the system's file is not
 * used.
 */
function opensslConfig(requests: readonly CertificateRequest[]): string {
  const sections = requests.map((request) => {
    const names = [
      ...(request.dnsNames ?? []).map((name) => `DNS:${name}`),
      ...(request.addresses ?? []).map((address) => `IP:${address}`),
    ]
    return [
      `[${request.name}]`,
      'basicConstraints = critical, CA:FALSE',
      'keyUsage = critical, digitalSignature, keyEncipherment',
      `extendedKeyUsage = ${names.length > 0 ? 'serverAuth, ' : ''}clientAuth`,
      'authorityKeyIdentifier = keyid',
      ...(names.length > 0 ? [`subjectAltName = ${names.join(', ')}`] : []),
    ].join('\n')
  })
  const authority = [
    '[authority]',
    'basicConstraints = critical, CA:TRUE',
    'keyUsage = critical, digitalSignature, keyCertSign',
    'subjectKeyIdentifier = hash',
  ].join('\n')
  const request = '[req]\ndistinguished_name = none\n[none]'
  return `${[request, authority, ...sections].join('\n\n')}\n`
}
