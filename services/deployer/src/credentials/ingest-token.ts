import { createHash, randomBytes } from 'node:crypto'

import { telemetryHeadersVariable } from '@slipway/agent-spec'

import { telemetrySecretName } from '../manifests/config-and-secrets.ts'
import type { Identity } from '../manifests/identity.ts'
import type { PlannedSecret } from './plan-secrets.ts'

/** An ingest token with the Secret that brings it to the agent. */
export interface TelemetrySecret {
  readonly secret: PlannedSecret
  readonly tokenSha256: Buffer
}

/** Makes a new ingest token. */
export function newTelemetrySecret(identity: Identity, nameKey: Buffer): TelemetrySecret {
  const token = randomBytes(32).toString('base64url')
  const name = telemetrySecretName(identity, token, nameKey)
  return {
    tokenSha256: createHash('sha256').update(token).digest(),
    // The value is percent-encoded, as the OTLP specification wants headers to be.
    secret: {
      component: '',
      ref: { kind: 'agent' },
      name,
      data: { [telemetryHeadersVariable]: `authorization=Bearer%20${token}` },
    },
  }
}
