import type { ConfigReader } from '../config/config.ts'
import { readOperatorFile, type OperatorFile } from '../config/operator-file.ts'
import { parseTrustedCa } from '../config/tls.ts'

/** A file that is undefined while it isn't valid: then no connection is made, and events wait. */
export type NatsFile = OperatorFile<string | undefined>

/** Where the NATS servers are, and how to authenticate to them. */
export interface NatsServers {
  /** Comma-separated `nats://host:port`, `nats://user:password@host:port` or `tls://…`. */
  readonly url: string
  /** The certificate authorities to trust, in PEM; default: those of Node. */
  readonly trustedCa?: NatsFile | undefined
  /** A credentials file: a user's JWT and nkey seed. */
  readonly credentials?: NatsFile | undefined
  /** The number of copies of each stream in a NATS cluster; default 1. */
  readonly streamReplicas?: number
  /** The size of the event stream, which then drops its oldest events; default 512 MiB. */
  readonly streamMaxBytes?: number
}

/** The size of the event stream by default. */
export const STREAM_MAX_BYTES = 512 * 1024 * 1024

/** Reads the settings NATS_…. */
export function readNatsServers(reader: ConfigReader): NatsServers {
  return Object.freeze({
    url: reader.urls('NATS_URL', ['nats:', 'tls:'], 'nats://127.0.0.1:4222'),
    trustedCa: readOperatorFile(reader, 'NATS_CA_FILE', parseTrustedCa, undefined),
    credentials: readOperatorFile(reader, 'NATS_CREDENTIALS_FILE', parseCredentials, undefined),
    streamReplicas: reader.integer('NATS_STREAM_REPLICAS', 1, { min: 1, max: 5 }),
    streamMaxBytes: reader.integer('NATS_STREAM_MAX_BYTES', STREAM_MAX_BYTES, {
      min: 1024 * 1024,
      max: 2 ** 40,
    }),
  })
}

/** Returns the servers of a NATS_URL. */
export function serversOf(url: string): readonly URL[] {
  return url.split(',').map((server) => new URL(server.trim()))
}

function parseCredentials(text: string): string {
  if (CREDENTIALS.test(text)) return text
  throw new Error('must have a user JWT and an nkey seed, as `nsc` generates them')
}

const CREDENTIALS = /-BEGIN NATS USER JWT-[^]+-BEGIN USER NKEY SEED-/
