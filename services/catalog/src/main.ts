import { createLogger } from '@slipway/shared/logger'
import { runUntilSignalled } from '@slipway/shared/lifecycle'

import { readConfig } from './config.ts'
import { migrateCatalog, startCatalog } from './service.ts'

if (process.argv[2] === 'migrate') {
  await migrateCatalog(readConfig(process.env))
} else {
  await runUntilSignalled(
    () => createLogger('catalog', 'info'),
    () => startCatalog(readConfig(process.env)),
  )
}
