import { runCommand, runUntilSignalled } from '@slipway/shared/lifecycle'

import { migrateCatalog, replayCatalogEvents } from './commands.ts'
import { readConfig } from './config.ts'
import { startCatalog } from './service.ts'

const [command, argument = ''] = process.argv.slice(2)
if (command === 'migrate') {
  await runCommand(() => migrateCatalog(readConfig(process.env)))
} else if (command === 'replay') {
  await runCommand(async () => {
    console.log(
      `${await replayCatalogEvents(readConfig(process.env), argument)} events will be published again`,
    )
  })
} else {
  await runUntilSignalled({
    name: 'catalog',
    readConfig: () => readConfig(process.env),
    start: (config) => startCatalog(config),
  })
}
