import { createLogger } from '@slipway/shared/logger'
import { runUntilSignalled } from '@slipway/shared/lifecycle'

import { migrateCatalog, replayCatalogEvents } from './commands.ts'
import { readConfig } from './config.ts'
import { startCatalog } from './service.ts'

const [command, argument = ''] = process.argv.slice(2)
if (command === 'migrate') {
  await migrateCatalog(readConfig(process.env))
} else if (command === 'replay') {
  console.log(`${await replayCatalogEvents(readConfig(process.env), argument)} events will be published again`)
} else {
  await runUntilSignalled(
    () => createLogger('catalog', 'info'),
    () => startCatalog(readConfig(process.env)),
  )
}
