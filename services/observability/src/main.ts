import { runUntilSignalled } from '@slipway/shared/lifecycle'
import { createLogger } from '@slipway/shared/logger'

import { readConfig } from './config.ts'
import { startObservability } from './service.ts'

await runUntilSignalled(
  () => createLogger('observability', 'info'),
  () => startObservability(readConfig(process.env)),
)
