import { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { AnswerCache } from '@slipway/gateway/answer-cache'
import { readConfig } from '@slipway/gateway/config'
import { startGateway } from '@slipway/gateway'
import { startConnectServer } from '@slipway/shared/rpc'
import { testIssuer } from '@slipway/testing'

import type { StartSide } from '../side.ts'

const NOWHERE = '127.0.0.1:1'
const ANY_PORT = '127.0.0.1:0'
const NO_LIMIT = '10000000'
const FOREVER_MS = 2 ** 31

const versions = [{ buildId: 'b1a4dac0d2f4', version: '1.0.0', readme: '# Support\n' }]
const agent = { account: 'alice', name: 'support', registry: 'registry.example/team', versions }

/** A gateway that keeps every public response. Its input is a NATS URL; it outputs its own URL. */
export const sides: Readonly<Record<string, StartSide>> = {
  gateway: async (natsUrl) => {
    const issuer = await testIssuer()
    const implementation = { getAgent: () => ({ agent }) }
    const services = [{ service: AgentService, implementation: implementation as never }]
    const catalog = await startConnectServer(ANY_PORT, services)
    const config = readConfig({
      HTTP_ADDRESS: ANY_PORT,
      OPS_ADDRESS: ANY_PORT,
      CATALOG_ADDRESS: catalog.address,
      DEPLOYER_ADDRESS: NOWHERE,
      OBSERVABILITY_ADDRESS: NOWHERE,
      NATS_URL: natsUrl,
      AUTH_ISSUERS: issuer.issuersJson,
      IDEMPOTENCY_KEY_SECRET: 'ab'.repeat(32),
      RATE_LIMIT_ADDRESS_PER_SECOND: NO_LIMIT,
      RATE_LIMIT_ADDRESS_BURST: NO_LIMIT,
    })
    const answerCache = new AnswerCache({ maxBytes: 2 ** 20, timeLimitMs: FOREVER_MS })
    return { output: (await startGateway(config, { answerCache })).url }
  },
}
