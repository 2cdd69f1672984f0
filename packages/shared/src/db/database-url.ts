import { accessSync, constants } from 'node:fs'

import type { ConfigReader } from '../config.ts'

/** Parameters of the URL that name files. */
const FILES = ['sslrootcert', 'sslcert', 'sslkey']

/** Reads DATABASE_URL. Reports the files in its TLS parameters that can't be read. */
export function readDatabaseUrl(reader: ConfigReader): string {
  const url = reader.string('DATABASE_URL')
  const parameters = URL.parse(url)?.searchParams
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
