import { databaseCommands } from '@slipway/shared/database-commands'
import { runService } from '@slipway/shared/run-service'

import { readConfig } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import { startCatalog } from './service.ts'

await runService({
  name: 'catalog',
  readConfig: () => readConfig(process.env),
  start: (config) => startCatalog(config),
  commands: databaseCommands('catalog', process.env, migrations),
})
