import { runUntilSignalled } from '@slipway/shared/run-until-signalled'

import { readConfig } from './config.ts'
import { startObservability } from './service.ts'

await runUntilSignalled({
  name: 'observability',
  readConfig: () => readConfig(process.env),
  start: (config) => startObservability(config),
})
