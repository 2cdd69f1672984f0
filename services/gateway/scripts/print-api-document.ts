import { createTokenVerifier } from '@slipway/shared/auth'
import { createLogger } from '@slipway/shared/logger'
import { createRemoteVerifier } from '@slipway/shared/machine-tokens'
import { Readiness } from '@slipway/shared/rpc'

import { buildApp } from '../src/app.ts'
import { createClients } from '../src/backend/clients.ts'
import { readConfig } from '../src/config.ts'
import { DOCUMENT_PATH } from '../src/http/plugins/openapi.ts'
import { TokenBuckets } from '../src/http/limits/token-buckets.ts'
import { AnswerCache } from '../src/public-answers/answer-cache.ts'
import { PublicAnswers } from '../src/public-answers/public-answers.ts'

// Prints the API document without starting a server. The identity provider in it is an example.

const UNUSED = '127.0.0.1:1'

const config = readConfig({
  CATALOG_ADDRESS: UNUSED,
  DEPLOYER_ADDRESS: UNUSED,
  OBSERVABILITY_ADDRESS: UNUSED,
  NATS_URL: `nats://${UNUSED}`,
  AUTH_ISSUERS: JSON.stringify([{ issuer: 'https://issuer.example' }]),
  IDEMPOTENCY_KEY_SECRET: '00'.repeat(32),
})
using clients = createClients(config)
const app = await buildApp(
  {
    config,
    clients,
    logger: createLogger('gateway', 'silent'),
    publicAnswers: new PublicAnswers({ cache: new AnswerCache({ maxBytes: 1024 }), varyOn: [] }),
    tokenVerifier: createTokenVerifier([]),
    machineTokenVerifier: createRemoteVerifier(clients.catalog),
    changes: new TokenBuckets(config.rateLimits.changes),
    signIn: undefined,
  },
  new Readiness({}),
)
const { body } = await app.inject(DOCUMENT_PATH)
process.stdout.write(body)
await app.close()
