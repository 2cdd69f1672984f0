import { expect, test } from 'vitest'
import { differences } from './same-objects.ts'

const map = (name: string, value: string) =>
  `kind: ConfigMap\nmetadata: { name: ${name} }\ndata: { key: ${value} }\n`
const rendering = (...objects: string[]) => `---\n${objects.join('---\n')}`

test('accepts the same objects in another order and notation', () => {
  const other = 'kind: ConfigMap\nmetadata:\n  name: a\ndata:\n  key: "1"\n'
  expect(
    differences(rendering(map('a', '"1"'), map('b', 'x')), `${map('b', 'x')}---\n${other}`),
  ).toEqual([])
})

test.each([
  ['another value', rendering(map('a', 'x')), rendering(map('a', 'y'))],
  ['a missing object', rendering(map('a', 'x')), rendering()],
  [
    'a second object of the same name',
    rendering(map('a', 'x')),
    rendering(map('a', 'x'), map('a', 'x')),
  ],
])('reports %s', (_what, helm4, helm3) => {
  expect(differences(helm4, helm3)).toEqual([expect.stringContaining('ConfigMap/a')])
})
