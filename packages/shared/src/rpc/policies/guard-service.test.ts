import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { expect, test } from 'vitest'

import { createLogger } from '../../logging/logger.ts'
import { guardService } from './guard-service.ts'

test('rejects a service with a method without an access rule', () => {
  const guard = () =>
    guardService(
      WorkloadService,
      {} as never,
      { streamLogs: 'user', getConfigMap: 'user', restartPod: 'user' } as never,
      { logger: createLogger('test', 'silent'), tokenVerifier: {} as never },
    )
  expect(guard).toThrow(
    'slipway.deployer.v1.WorkloadService has methods without an access rule: ' +
      'TriggerIngestion, ResolveIngestToken',
  )
})
