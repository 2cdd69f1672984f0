import './heap-flags.ts'

import { PUBLIC_NOTICE_MS } from '@slipway/shared/rpc'
import { runService } from '@slipway/shared/run-service'

import { readConfig } from './config.ts'
import { migrateStores, readMigrateConfig } from './migrate-command.ts'
import { startObservability } from './service.ts'

await runService({
  name: 'observability',
  readConfig: () => readConfig(process.env),
  start: (config) => startObservability(config, { noticeMs: PUBLIC_NOTICE_MS }),
  commands: { migrate: () => migrateStores(readMigrateConfig(process.env)) },
})
