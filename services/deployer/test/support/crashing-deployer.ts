import { createLogger } from '@slipway/shared/logger'

import { readConfig } from '../../src/config.ts'
import { startDeployer } from '../../src/service.ts'

// A deployer that is killed at one step of an apply: run by a test as a process of its own.
const deployer = await startDeployer(readConfig(process.env), {
  logger: createLogger('deployer', 'silent'),
  onStep: (step) => {
    if (step === process.env['CRASH_AT']) process.kill(process.pid, 'SIGKILL')
  },
})
process.stdout.write(`${deployer.grpcAddress}\n`)
