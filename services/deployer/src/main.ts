import { runDatabaseService } from '@slipway/shared/run-service'

import { readConfig } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import { startDeployer } from './service.ts'

await runDatabaseService({
  name: 'deployer',
  readConfig: () => readConfig(process.env),
  migrations,
  start: (config) => startDeployer(config),
})
