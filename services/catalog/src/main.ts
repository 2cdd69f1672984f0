import { createLogger } from '@slipway/shared/logger'
import { runUntilSignalled } from '@slipway/shared/lifecycle'

import { readConfig } from './config.ts'
import { startCatalog } from './service.ts'

await runUntilSignalled(
  () => createLogger('catalog', 'info'),
  () => startCatalog(readConfig(process.env)),
)
