import { ApiError } from '@slipway/client'
import { expect, test } from 'vitest'

import { FieldProblems } from './field-problems.ts'

test('gives each field what is wrong with it, and keeps the rest', () => {
  const problems = new FieldProblems(
    new ApiError({
      request: 'POST /api/v1/deploy/validate',
      status: 400,
      code: 'validation_failed',
      detail: 'the deployment is not valid',
      problems: [
        { field: 'overrides.agent.replicas', message: 'must be a whole number' },
        { field: 'user_credentials.TOKEN', message: 'is too long' },
        { field: 'user_credentials.TOKEN', message: 'has a line break' },
        { field: 'agent.image', message: 'no such image' },
      ],
      requestId: undefined,
      retryAfterSeconds: undefined,
      problem: undefined,
    }),
  )
  expect(problems.of('overrides.agent.replicas')).toBe('must be a whole number')
  expect(problems.of('user_credentials.TOKEN')).toBe('is too long; has a line break')
  expect(problems.of('user_credentials.OTHER')).toBeUndefined()
  const shown = new Set(['overrides.agent.replicas', 'user_credentials.TOKEN'])
  expect(problems.others(shown)).toEqual([{ field: 'agent.image', message: 'no such image' }])
})

test('has no problems without an error of the API', () => {
  expect(new FieldProblems(null).count).toBe(0)
  expect(new FieldProblems(new Error('cut')).count).toBe(0)
})
