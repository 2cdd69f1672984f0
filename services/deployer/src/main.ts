import { runUntilSignalled } from '@slipway/shared/lifecycle'
import { createLogger } from '@slipway/shared/logger'

import { migrateDeployer, replayDeployerEvents } from './commands.ts'
import { readConfig } from './config.ts'
import { startDeployer } from './service.ts'

const [command, argument = ''] = process.argv.slice(2)
if (command === 'migrate') {
  await migrateDeployer(readConfig(process.env))
} else if (command === 'replay') {
  console.log(`${await replayDeployerEvents(readConfig(process.env), argument)} events will be published again`)
} else {
  await runUntilSignalled(
    () => createLogger('deployer', 'info'),
    () => startDeployer(readConfig(process.env)),
  )
}
