import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'

import type { ConfigReader } from './config.ts'

/** The certificate chain and key of a listener, in PEM. */
export interface ServerCertificate {
  readonly chain: string
  readonly key: string
}

/**
 * Reads the certificate of the RPC listeners from RPC_TLS_CERT_FILE and RPC_TLS_KEY_FILE; undefined
 * if both are unset.
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
    createSecureContext({ cert: chain, key })
  } catch (error) {
    reader.report(`${names}: must be a certificate chain and its key in PEM (${messageOf(error)})`)
  }
  return Object.freeze({ chain, key })
}

/**
 * Reads the certificate authorities to trust, in PEM, from the file that a variable names;
 * undefined if it is unset.
 */
export function readTrustedCa(reader: ConfigReader, name: string): string | undefined {
  const pem = reader.file(name)
  if (pem === undefined) return undefined
  try {
    return parseTrustedCa(pem)
  } catch (error) {
    reader.report(`${name}: ${messageOf(error)}`)
    return pem
  }
}

/** Checks certificate authorities in PEM; throws an Error that says what is wrong. */
export function parseTrustedCa(pem: string): string {
  try {
    new X509Certificate(pem)
  } catch (error) {
    throw new Error(`must have at least one certificate in PEM (${messageOf(error)})`, {
      cause: error,
    })
  }
  return pem
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
