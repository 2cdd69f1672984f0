import { PUBLIC_NOTICE_MS } from '@slipway/shared/rpc'
import { runUntilSignalled } from '@slipway/shared/run-until-signalled'

import { readConfig } from './config.ts'
import { startGateway } from './service.ts'

await runUntilSignalled({
  name: 'gateway',
  readConfig: () => readConfig(process.env),
  start: (config, logger) => startGateway(config, { logger, noticeMs: PUBLIC_NOTICE_MS }),
})
