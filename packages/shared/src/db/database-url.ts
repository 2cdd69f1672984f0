import { readFileSync } from 'node:fs'

import type { ConfigReader } from '../config/config.ts'
import { messageOf } from '../config/operator-file.ts'
import { parseServerCertificate, parseTrustedCa } from '../config/tls.ts'

/**
 * Reads DATABASE_URL. Reports a value that isn't a URL of Postgres, without the value, and the
 * files in its TLS parameters that can't be used: no connection could be made.
 */
export function readDatabaseUrl(reader: ConfigReader): string {
  const url = reader.string('DATABASE_URL')
  const parsed = URL.parse(url)
  if (url !== '' && (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)))
    reader.report(
      'DATABASE_URL: must be postgres://USER:PASSWORD@HOST:PORT/DATABASE, with the special ' +
        'characters of the password percent-encoded',
    )
  const parameters = parsed?.searchParams
  const read = <Value>(name: string, parse: (text: string) => Value): Value | undefined => {
    const path = parameters?.get(name)
    try {
      return path ? parse(readFileSync(path, 'utf8')) : undefined
    } catch (error) {
      reader.report(`DATABASE_URL: ${name}: ${path}: ${messageOf(error)}`)
      return undefined
    }
  }
  // One valid certificate is enough for connections.
  read('sslrootcert', (pem) => parseTrustedCa(pem, () => {}))
  const chain = read('sslcert', String)
  const key = read('sslkey', String)
  if (chain !== undefined && key !== undefined)
    read('sslcert', () => parseServerCertificate(chain, key))
  return url
}
