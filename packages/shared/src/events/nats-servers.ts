import type { ConfigReader } from '../config/config.ts'
import { readOperatorFile, type OperatorFile } from '../config/operator-file.ts'
import { readTrustedCa, type TrustedCaFile } from '../config/tls.ts'

/** Where the NATS servers are, and how to authenticate to them. */
export interface NatsServers {
  /** Comma-separated `nats://host:port`, `nats://user:password@host:port` or `tls://…`. */
  readonly url: string
  /** What is wrong with the URL. Then no connection is made, and events wait. */
  readonly urlProblem?: string | undefined
  /** The certificate authorities to trust, in PEM; default: those of Node. */
  readonly trustedCa?: TrustedCaFile | undefined
  /** A credentials file: a user's JWT and nkey seed. */
  readonly credentials?: OperatorFile<string | undefined> | undefined
  /** The number of copies of each stream in a NATS cluster; default 1. */
  readonly streamReplicas?: number
  /** The size of the event stream, which then drops its oldest events; default 512 MiB. */
  readonly streamMaxBytes?: number
}

/** The size of the event stream by default. */
export const STREAM_MAX_BYTES = 512 * 1024 * 1024

export function readNatsServers(reader: ConfigReader): NatsServers {
  const url = reader.string('NATS_URL', 'nats://127.0.0.1:4222')
  return Object.freeze({
    url,
    urlProblem: problemOf(url),
    trustedCa: readTrustedCa(reader, 'NATS_CA_FILE'),
    credentials: readOperatorFile(reader, 'NATS_CREDENTIALS_FILE', parseCredentials, undefined),
    streamReplicas: reader.integer('NATS_STREAM_REPLICAS', 1, { min: 1, max: 5 }),
    streamMaxBytes: reader.integer('NATS_STREAM_MAX_BYTES', STREAM_MAX_BYTES, {
      min: 1024 * 1024,
      max: 2 ** 40,
    }),
  })
}

/** Returns what is wrong with a NATS_URL, without the URL, which may contain a password. */
function problemOf(url: string): string | undefined {
  const parts = url.split(',').map((part) => URL.parse(part.trim()))
  const isGood = parts.every((part) => part?.hostname && /^(nats|tls):$/.test(part.protocol))
  return isGood ? undefined : 'must be nats:// or tls:// with a host'
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
