import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { expect, test } from 'vitest'

import { accountLimitDefinitions, type LimitDefinition } from './definitions.ts'

const SCHEMA = resolve(import.meta.dirname, '../../../../deploy/helm/slipway/values.schema.json')
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

test('the schema of the chart has exactly the limits of the code', async () => {
  const text = await readFile(SCHEMA, 'utf8')
  const { definitions } = JSON.parse(text) as {
    definitions: { limits: { properties: Record<string, { $ref: string }> } }
  }
  const forms = { count: 'Count', bytes: 'Bytes', millicores: 'Cpu', days: 'Days' }
  expect(definitions.limits.properties).toEqual(
    Object.fromEntries(
      Object.entries(accountLimitDefinitions).map(([name, { unit }]) => [
        name,
        { $ref: `#/definitions/limit${forms[unit]}` },
      ]),
    ),
  )
})

function amount({ default: value, unit }: LimitDefinition): string {
  if (unit === 'bytes')
    return value < 1024 ** 3 ? `${value / 1024 ** 2}Mi` : `${value / 1024 ** 3}Gi`
  return unit === 'millicores' ? `${value / 1000} CPUs` : value.toLocaleString('en')
}
