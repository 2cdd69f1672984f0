import { expect, test } from 'vitest'

import { unknownCredentials } from '../src/index.ts'
import { prepare, specOf } from './support/fixtures.ts'

const EFFECT = "no component declares this credential, so only the agent's own container gets it"

const spec = specOf(`
agent: { image: a:1, inputs: { greeting: { name: GREETING, datatype: string, default: Hello } } }
models: { main: { provider: openai } }
tools: { t: { container: { image: t:1, environment: { AUTH: 'Bearer \${credentials.SPECIAL}' } } } }
`)

const reported = (userCredentials: Record<string, string>) =>
  unknownCredentials(prepare(spec, { userCredentials }).filled)

test('reports credentials that nothing takes, with the name that is meant', () => {
  const taken = { OPENAI_API_KEY: 'k', GREETING: 'Hi', SPECIAL: 's' }
  expect(reported(taken)).toEqual([])
  expect(reported({ ...taken, EXTRA: 'x', OPENIA_API_KEY: 'y' })).toEqual([
    `user_credentials.EXTRA: ${EFFECT}`,
    `user_credentials.OPENIA_API_KEY: ${EFFECT}; did you mean OPENAI_API_KEY?`,
  ])
})

test('reports at most 20, and counts the others', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`X${index}`, 'x']))
  const found = reported(many)
  expect(found).toHaveLength(21)
  expect(found.at(-1)).toContain('no component declares 480 more')
})
