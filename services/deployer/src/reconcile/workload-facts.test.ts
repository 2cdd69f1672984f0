import type { V1Deployment } from '@kubernetes/client-node'
import { expect, test } from 'vitest'

import { deploymentFacts } from './workload-facts.ts'

test('the problem of a Deployment does not describe the network', () => {
  const condition = {
    type: 'ReplicaFailure',
    status: 'True',
    reason: 'FailedCreate',
    message: 'failed calling webhook "w": Post "https://10.0.0.5:8443/check": connection refused',
  }
  const deployment = { status: { conditions: [condition] } } as V1Deployment
  expect(deploymentFacts(deployment)).toMatchObject({
    problem: expect.stringMatching(
      /^FailedCreate: failed calling webhook "w": a part of the cluster does not respond; [^/\d]+$/,
    ),
  })
})
