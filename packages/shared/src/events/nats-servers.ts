import type { ConfigReader } from '../config.ts'
import { readTrustedCa } from '../tls.ts'

/** Where the NATS servers are, and how to authenticate to them. */
export interface NatsServers {
  /** Comma-separated `nats://host:port`, `nats://user:password@host:port` or `tls://…`. */
  readonly url: string
  /** The certificate authorities to trust, in PEM; default: those of Node. */
  readonly trustedCa?: string | undefined
  /** A credentials file: a user's JWT and nkey seed. */
  readonly credentials?: string | undefined
  /** The number of copies of each stream in a NATS cluster; default 1. */
  readonly streamReplicas?: number
}

/** Reads NATS_URL, NATS_CA_FILE, NATS_CREDENTIALS_FILE and NATS_STREAM_REPLICAS. */
export function readNatsServers(reader: ConfigReader): NatsServers {
  const credentials = reader.file('NATS_CREDENTIALS_FILE')
  if (credentials !== undefined && !CREDENTIALS.test(credentials)) {
    reader.report(
      'NATS_CREDENTIALS_FILE: must have a user JWT and an nkey seed, as `nsc` generates them',
    )
  }
  return Object.freeze({
    url: reader.urls('NATS_URL', ['nats:', 'tls:'], 'nats://127.0.0.1:4222'),
    trustedCa: readTrustedCa(reader, 'NATS_CA_FILE'),
    credentials,
    streamReplicas: reader.integer('NATS_STREAM_REPLICAS', 1, { min: 1, max: 5 }),
  })
}

const CREDENTIALS = /-BEGIN NATS USER JWT-[^]+-BEGIN USER NKEY SEED-/
