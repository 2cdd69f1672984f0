import { expect, test } from 'vitest'
import { fitsNode, publicImage } from './public-image.ts'

const NODE = 'docker.io/library/node:'
const PYTHON = 'docker.io/library/python:'

test.each([
  ['node', undefined, `${NODE}24-slim`],
  ['node', '22', `${NODE}22-slim`],
  ['node', 'v22.11.0', `${NODE}22.11.0-slim`],
  ['node', 'lts/*', `${NODE}24-slim`],
  ['node', 'lts/jod', `${NODE}22-slim`],
  ['node', '>=20', `${NODE}24-slim`],
  ['node', '>=25', `${NODE}26-slim`],
  ['node', '^22.1.0 || ^20', `${NODE}22-slim`],
  ['node', '22.3.x', `${NODE}22.3-slim`],
  ['python', undefined, `${PYTHON}3.13-slim`],
  ['python', '3.12.4', `${PYTHON}3.12.4-slim`],
  ['python', '>=3.11', `${PYTHON}3.13-slim`],
  ['python', '>=3.10,<3.13', `${PYTHON}3.12-slim`],
  ['python', '==3.11.*', `${PYTHON}3.11-slim`],
  ['python', '~=3.11', `${PYTHON}3.13-slim`],
  ['python', '^3.10', `${PYTHON}3.13-slim`],
  ['python', '~3.12', `${PYTHON}3.12-slim`],
] as const)('chooses for %s %s the image %s', async (language, text, name) => {
  const wanted = text === undefined ? undefined : { text, from: 'a file' }
  expect(await publicImage(language, wanted)).toEqual({ name })
})

test.each([
  ['node', '18', '.nvmrc'],
  ['node', '16.x', 'engines'],
  ['node', 'not a version', '.nvmrc'],
  ['python', '3.9', '.python-version'],
  ['python', '<3.10', 'requires-python'],
  ['python', 'pypy3.10', '.python-version'],
] as const)('says why %s %s is not in the image', async (language, text, from) => {
  const { name, problem } = await publicImage(language, { text, from })
  expect(name).toBe((await publicImage(language)).name)
  expect(problem).toContain(`${from} has ${JSON.stringify(text)}`)
  expect(problem).toContain('--base')
})

test.each([
  ['24.21.0', '24', true],
  ['24.21.0', 'v24.2', false],
  ['24.21.0', 'lts/*', true],
  ['24.21.0', 'lts/jod', false],
  ['24.21.0', '>=22 <24', false],
  ['24.21.0', '^24.1.0 || ^20', true],
  ['24.21.0', 'anything else', true],
])('knows whether Node.js %s fits %s', async (version, text, fits) => {
  expect(await fitsNode(version, text)).toBe(fits)
})
