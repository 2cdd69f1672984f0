import { runDatabaseService } from '@slipway/shared/run-service'

import { readConfig } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import { startCatalog } from './service.ts'

await runDatabaseService({
  name: 'catalog',
  readConfig: () => readConfig(process.env),
  migrations,
  start: (config) => startCatalog(config),
})
