import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { expect, test } from 'vitest'

import { accountLimitDefinitions, type LimitDefinition } from './definitions.ts'

const PAGE = resolve(import.meta.dirname, '../../../../docs/reference/limits.md')

test('docs/reference/limits.md lists exactly the limits of the code', async () => {
  const page = await readFile(PAGE, 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  expect(rows).toEqual(
    Object.entries(accountLimitDefinitions).map(([name, limit]) => {
      const { unit, service, meaning, remedy } = limit
      return `| \`${name}\` | ${amount(limit)} | ${unit} | ${service} | ${meaning} | ${remedy} |`
    }),
  )
})

function amount({ default: value, unit }: LimitDefinition): string {
  if (unit === 'bytes')
    return value < 1024 ** 3 ? `${value / 1024 ** 2}Mi` : `${value / 1024 ** 3}Gi`
  return unit === 'millicores' ? `${value / 1000} CPUs` : value.toLocaleString('en')
}
