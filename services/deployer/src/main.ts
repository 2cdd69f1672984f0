import { runCommand, runUntilSignalled } from '@slipway/shared/lifecycle'

import { migrateDeployer, replayDeployerEvents } from './commands.ts'
import { readConfig } from './config.ts'
import { startDeployer } from './service.ts'

const [command, argument = ''] = process.argv.slice(2)
if (command === 'migrate') {
  await runCommand(() => migrateDeployer(readConfig(process.env)))
} else if (command === 'replay') {
  await runCommand(async () => {
    console.log(
      `${await replayDeployerEvents(readConfig(process.env), argument)} events will be published again`,
    )
  })
} else {
  await runUntilSignalled({
    name: 'deployer',
    readConfig: () => readConfig(process.env),
    start: (config) => startDeployer(config),
  })
}
