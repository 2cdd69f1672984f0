import { createLogger } from '@slipway/shared/logger'

import { readConfig } from '../../src/config.ts'
import { startDeployer } from '../../src/service.ts'

// A deployer that kills itself at a step of an attempt. Tests run it as a separate process.
const deployer = await startDeployer(readConfig(process.env), {
  logger: createLogger('deployer', 'silent'),
  onStep: (step) => {
    if (step === process.env['CRASH_AT']) process.kill(process.pid, 'SIGKILL')
  },
})
process.stdout.write(`${deployer.grpcAddress}\n`)
