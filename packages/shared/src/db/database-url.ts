import { accessSync, constants } from 'node:fs'

import type { ConfigReader } from '../config/config.ts'

/** Parameters of the URL that name files. */
const FILES = ['sslrootcert', 'sslcert', 'sslkey']

/**
 * Reads DATABASE_URL. Reports a value that isn't a URL of Postgres, without the value, and the
 * files in its TLS parameters that can't be read.
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
  for (const name of FILES) {
    const path = parameters?.get(name)
    if (path === undefined || path === null) continue
    try {
      accessSync(path, constants.R_OK)
    } catch {
      reader.report(`DATABASE_URL: ${name}: the file cannot be read`)
    }
  }
  return url
}
