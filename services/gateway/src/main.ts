import { createLogger } from '@slipway/shared/logger'
import { runUntilSignalled } from '@slipway/shared/lifecycle'

import { readConfig } from './config.ts'
import { startGateway } from './service.ts'

let logger = createLogger('gateway', 'info')
await runUntilSignalled(
  () => logger,
  async () => {
    const config = readConfig(process.env)
    logger = createLogger('gateway', config.logLevel)
    return await startGateway(config, { logger })
  },
)
