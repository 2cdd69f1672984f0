import { runUntilSignalled } from '@slipway/shared/lifecycle'
import { createLogger } from '@slipway/shared/logger'

import { readConfig } from './config.ts'
import { startDeployer } from './service.ts'

await runUntilSignalled(
  () => createLogger('deployer', 'info'),
  () => startDeployer(readConfig(process.env)),
)
