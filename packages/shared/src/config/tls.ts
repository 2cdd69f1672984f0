import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'

import type { ConfigReader } from './config.ts'
import {
  messageOf,
  readOperatorFile,
  refuse,
  type OperatorFile,
  type ReportProblem,
} from './operator-file.ts'

const CERTIFICATE = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]*(?:-----END[\w ]+-----)?/g

/** The certificate chain and key of a listener, in PEM. */
export interface ServerCertificate {
  readonly chain: string
  readonly key: string
}

/**
 * A file with certificate authorities to trust, in PEM. Its value is undefined while no certificate
 * in it is valid: then no connection is made.
 */
export type TrustedCaFile = OperatorFile<string | undefined>

/**
 * Reads the certificate of the RPC listeners from RPC_TLS_CERT_FILE and RPC_TLS_KEY_FILE; undefined
 * if both are unset. A listener can't serve without it, so a wrong one keeps the process from
 * starting.
 */
export function readServerCertificate(reader: ConfigReader): ServerCertificate | undefined {
  const names = 'RPC_TLS_CERT_FILE, RPC_TLS_KEY_FILE'
  const known = reader.problems.length
  const chain = reader.file('RPC_TLS_CERT_FILE')
  const key = reader.file('RPC_TLS_KEY_FILE')
  if (reader.problems.length > known || (chain === undefined && key === undefined)) return undefined
  if (chain === undefined || key === undefined) {
    reader.report(`${names}: must be set together`)
    return undefined
  }
  try {
    return parseServerCertificate(chain, key)
  } catch (error) {
    reader.report(`${names}: ${messageOf(error)}`)
    return undefined
  }
}

/** Checks a certificate chain and its key, in PEM; throws an Error that says what is wrong. */
export function parseServerCertificate(chain: string, key: string): ServerCertificate {
  try {
    // Node takes an empty text for none.
    new X509Certificate(chain)
    createPrivateKey(key)
    createSecureContext({ cert: chain, key })
  } catch (error) {
    throw new Error(`must be a certificate chain and its key in PEM (${messageOf(error)})`, {
      cause: error,
    })
  }
  return Object.freeze({ chain, key })
}

/** Reads the certificate authorities to trust from the file that a setting names. */
export function readTrustedCa(reader: ConfigReader, name: string): TrustedCaFile | undefined {
  return readOperatorFile(reader, name, parseTrustedCa, undefined)
}

/**
 * Returns the valid certificates of certificate authorities in PEM, and reports the others, which
 * Node would ignore; throws an Error if none is valid.
 */
export function parseTrustedCa(pem: string, report: ReportProblem = refuse): string {
  const blocks = pem.match(CERTIFICATE) ?? []
  const problems: string[] = []
  const valid = blocks.filter((block, index) => {
    try {
      new X509Certificate(block)
      return true
    } catch (error) {
      problems.push(`certificate ${index + 1} of ${blocks.length}: ${messageOf(error)}`)
      return false
    }
  })
  if (valid.length === 0) {
    const reason = problems[0] === undefined ? '' : ` (${problems[0]})`
    throw new Error(`must have at least one certificate in PEM${reason}`)
  }
  for (const problem of problems) report(problem)
  return valid.join('\n')
}
