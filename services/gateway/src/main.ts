import { runUntilSignalled } from '@slipway/shared/run-until-signalled'

import { readConfig } from './config.ts'
import { startGateway } from './service.ts'

/** Clients keep connections, and send requests on them less often than services do. */
const NOTICE_MS = 3_000

await runUntilSignalled({
  name: 'gateway',
  readConfig: () => readConfig(process.env),
  start: (config, logger) => startGateway(config, { logger, noticeMs: NOTICE_MS }),
})
