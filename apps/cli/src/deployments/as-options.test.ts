import { expect, test } from 'vitest'

import { asOptions } from './as-options.ts'

test('advice names options in place of fields', () => {
  expect(asOptions('Deploy with a higher limit: "overrides": {"a.limits.memory": "192Mi"}.')).toBe(
    "Deploy with a higher limit: --set 'a.limits.memory=192Mi'.",
  )
  expect(asOptions('"overrides": {"a.healthcheck": {"path": "PATH"}}, where')).toBe(
    `--set 'a.healthcheck={"path":"PATH"}', where`,
  )
  expect(asOptions('"overrides": {"a": "2", "b": true}')).toBe(`--set 'a="2"' --set 'b=true'`)
  expect(asOptions('another value in `user_credentials`.')).toBe(
    'another value in --env-file or --secrets-from.',
  )
  expect(asOptions('build b1 is registered: deploy with "build_id": "b1"')).toBe(
    'build b1 is registered: deploy with --build b1',
  )
  expect(asOptions('Read the log of the container, and register a build that starts.')).toBe(
    'Read the log of the container, fix the program, then slipway push.',
  )
})

test.each([
  [
    'Ended later. Read the log of the container, and register a build that keeps running.',
    'Ended later. Read the log of the container, fix the program, then slipway push.',
  ],
  ['Correct the image, and register a build with it.', 'Correct the image, then slipway push.'],
  [
    'Read the log of the run, deploy a build that repairs it, and start a run.',
    'Read the log of the run, repair it, then slipway push, slipway deploy and slipway trigger.',
  ],
  [
    'Lower "agent.resources.requests.cpu" (now 64) with an override, or ask.',
    "Lower agent.resources.requests.cpu (now 64) with --set 'PATH=VALUE', or ask.",
  ],
  [
    'Still ready. To keep to that one, roll back.',
    'Still ready. To keep to that one: slipway rollback',
  ],
])('advice names commands: %s', (advice, said) => {
  expect(asOptions(advice)).toBe(said)
})

test('other advice stays as it is', () => {
  expect(asOptions('Read the log, and "overrides": {broken}.')).toBe(
    'Read the log, and "overrides": {broken}.',
  )
})
