import { expect, test } from 'vitest'
import { foreignManagers } from './foreign-managers.ts'

const found = (...names: string[]) => foreignManagers((name) => names.includes(name))

test('says what to do with files of package managers that builds do not know', () => {
  expect(found('Pipfile', 'Pipfile.lock')).toBe(
    'Pipfile.lock of Pipenv is not used; write requirements.txt: ' +
      'pipenv requirements >requirements.txt',
  )
  expect(found('environment.yml', 'deno.json')).toMatch(
    /^environment\.yml of Conda .*deno\.json of/,
  )
  expect(found('requirements.txt', 'uv.lock')).toBeUndefined()
})
