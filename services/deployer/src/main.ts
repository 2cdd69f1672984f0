import { databaseCommands } from '@slipway/shared/database-commands'
import { runService } from '@slipway/shared/run-service'

import { readConfig } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import { startDeployer } from './service.ts'

await runService({
  name: 'deployer',
  readConfig: () => readConfig(process.env),
  start: (config) => startDeployer(config),
  commands: databaseCommands('deployer', process.env, migrations),
})
