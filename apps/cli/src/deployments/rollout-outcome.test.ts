import type { Schemas } from '@slipway/client'
import { expect, test } from 'vitest'

import { outcomeOf } from './rollout-outcome.ts'

type State = Schemas['DeploymentState']

const deployment = (state: State, components: readonly State[], revision = 2) => ({
  state,
  revision,
  reason: 'why',
  components: components.map((each) => ({ state: each })),
})

test('a rollout goes on while something progresses', () => {
  expect(outcomeOf(deployment('progressing', ['ready', 'progressing']), 2)).toBeUndefined()
  expect(outcomeOf(deployment('degraded', ['progressing', 'failed']), 2)).toBeUndefined()
})

test('it ends when all is ready, has failed, or waiting does not help', () => {
  expect(outcomeOf(deployment('ready', ['ready']), 2)).toEqual({ status: 'ready' })
  expect(outcomeOf(deployment('failed', ['failed']), 2)).toEqual({ status: 'failed', why: 'why' })
  expect(outcomeOf(deployment('degraded', ['ready', 'failed']), 2)).toEqual({
    status: 'failed',
    why: 'why',
  })
})

test('it ends when another deploy replaces it, and with the deployment', () => {
  expect(outcomeOf(deployment('ready', ['ready'], 3), 2)).toEqual({
    status: 'failed',
    why: 'it was replaced by revision 3',
  })
  expect(outcomeOf(deployment('undeploying', []), 2)?.status).toBe('failed')
})

test('an earlier revision says nothing about this one', () => {
  expect(outcomeOf(deployment('ready', ['ready'], 1), 2)).toBeUndefined()
})
