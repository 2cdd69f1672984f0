import { ApiError } from '@slipway/client'
import { expect, test } from 'vitest'

import { explainInvalid, missingCredentials } from './explain-invalid.ts'

const refused = (...problems: readonly (readonly [field: string, message: string])[]) =>
  new ApiError({
    request: 'POST /api/v1/deploy/validate',
    status: 400,
    code: 'validation_failed',
    detail: 'the deployment is not valid',
    problems: problems.map(([field, message]) => ({ field, message })),
    requestId: 'r1',
    retryAfterSeconds: undefined,
    problem: undefined,
  })

const missing = ['user_credentials.TOKEN', 'a required credential is missing'] as const
const schedule = ['schedules.docs', 'a cron schedule is required, for example 0 * * * *'] as const

test('shows all problems at once, each with its remedy', () => {
  const error = refused(
    missing,
    ['user_credentials.KEY', 'is longer than 131072 bytes'],
    schedule,
    ['overrides["agent.replicas"]', 'must be at most 10'],
    ['components.agent.image', 'has only `build`: build and push it'],
  )
  expect(explainInvalid(error, { KEY: 'a value' })).toMatchObject({
    message: 'the deployment is not valid',
    code: 'validation_failed',
    exitCode: 1,
    requestId: 'r1',
    why:
      'user_credentials.TOKEN: a required credential is missing\n' +
      'user_credentials.KEY: is longer than 131072 bytes\n' +
      'schedules.docs: a cron schedule is required, for example 0 * * * *\n' +
      'overrides["agent.replicas"]: must be at most 10\n' +
      'components.agent.image: has only `build`: build and push it',
    next:
      'give the credentials with --env-file FILE or --secrets-from -\n' +
      'correct the credentials in your file or input\n' +
      "--schedule docs='30 6 * * 1-5'\n" +
      'correct --set or --overrides\n' +
      'slipway push, which builds and pushes the image',
  })
})

test('options that are missing are a wrong use of the command', () => {
  expect(explainInvalid(refused(missing, schedule), {}).exitCode).toBe(2)
  expect(explainInvalid(refused(missing), { TOKEN: 'refused' }).exitCode).toBe(1)
})

test('only credentials that were not given are missing', () => {
  const { problems } = refused(missing, ['user_credentials.KEY', 'is too long'])
  expect(missingCredentials(problems, { KEY: 'x' })).toEqual(['TOKEN'])
})
