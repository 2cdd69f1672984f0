import { createHash, randomBytes } from 'node:crypto'

import { TELEMETRY_HEADERS_VARIABLE } from '@slipway/agent-spec'

import { telemetrySecretName } from '../manifests/config-and-secrets.ts'
import type { Identity } from '../manifests/identity.ts'
import type { PlannedSecret } from './plan-secrets.ts'
import type { SecretContents } from './read-secrets.ts'

/** A new ingest token: its hash, and the Secret that passes it to the agent. */
export interface TelemetrySecret {
  readonly secret: PlannedSecret
  readonly tokenSha256: Buffer
}

/**
 * Generates an ingest token. The name of its Secret doesn't depend on it, so that a plan has the
 * name that the deploy uses. It differs from those of Secrets that exist or were lost, so that pods
 * restart.
 */
export function newTelemetrySecret(
  identity: Identity,
  lost: string | null,
  contents: SecretContents,
  nameKey: Buffer,
): TelemetrySecret {
  const token = randomBytes(32).toString('base64url')
  let name = telemetrySecretName(identity, lost ?? '', nameKey)
  while (contents.has(name)) name = telemetrySecretName(identity, name, nameKey)
  return {
    tokenSha256: createHash('sha256').update(token).digest(),
    // The OTLP specification requires percent-encoding here.
    secret: {
      component: '',
      ref: { kind: 'agent' },
      name,
      data: { [TELEMETRY_HEADERS_VARIABLE]: `authorization=Bearer%20${token}` },
    },
  }
}
