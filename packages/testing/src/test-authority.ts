import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A certificate authority whose files are deleted when it is disposed of. */
export interface TestAuthority extends AsyncDisposable {
  /** Its certificate, in PEM. */
  readonly ca: string
  readonly caFile: string
  /** Issues the certificate of a server for a DNS name; the default is `localhost`. */
  issue(name?: string): Promise<IssuedCertificate>
}

/** A certificate and its key, in PEM. */
export interface IssuedCertificate {
  readonly chain: string
  readonly key: string
  readonly chainFile: string
  readonly keyFile: string
}

/** Creates a certificate authority with openssl. */
export async function testAuthority(): Promise<TestAuthority> {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-authority-'))
  const file = (name: string) => join(directory, name)

  async function write(name: string, text: string): Promise<string> {
    await writeFile(file(name), text, { mode: 0o600 })
    return file(name)
  }

  /** Writes `<name>.key` and `<name>.crt`. */
  async function certify(name: string, extensions: string, signer: string[]): Promise<void> {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const request = `[req]\ndistinguished_name = none\n[none]\n[extensions]\n${extensions}\n`
    const options = [
      ['-config', await write(`${name}.cnf`, request)],
      ['-extensions', 'extensions'],
      ['-key', await write(`${name}.key`, key)],
      ['-subj', `/CN=${name}`],
      ['-days', '1'],
      ['-out', file(`${name}.crt`)],
    ]
    await run('openssl', ['req', '-x509', '-new', '-batch', ...options.flat(), ...signer])
  }

  await certify('ca', 'basicConstraints = critical, CA:TRUE\nsubjectKeyIdentifier = hash', [])
  return {
    ca: await readFile(file('ca.crt'), 'utf8'),
    caFile: file('ca.crt'),
    async issue(name = 'localhost') {
      const signer = ['-CA', file('ca.crt'), '-CAkey', file('ca.key')]
      await certify(name, `subjectAltName = DNS:${name}\nauthorityKeyIdentifier = keyid`, signer)
      const [chainFile, keyFile] = [file(`${name}.crt`), file(`${name}.key`)]
      return {
        chain: await readFile(chainFile, 'utf8'),
        key: await readFile(keyFile, 'utf8'),
        chainFile,
        keyFile,
      }
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}
