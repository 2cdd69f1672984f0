import { runUntilSignalled } from '@slipway/shared/run-until-signalled'

import { readConfig } from './config.ts'
import { startGateway } from './service.ts'

await runUntilSignalled({
  name: 'gateway',
  readConfig: () => readConfig(process.env),
  start: (config, logger) => startGateway(config, { logger }),
})
