import { readFileSync, writeFileSync } from 'node:fs'

import { defaultTable, editableTable, limitTable } from './reference/defaults.ts'
import { keyTables } from './reference/keys.ts'
import {
  adapterTable,
  addressTable,
  cloudTable,
  containerTable,
  selfHostedTable,
} from './reference/providers.ts'

// Writes the tables of two pages in docs/reference. With --check, it only reports old ones.

const pages = {
  'agent-spec.md': { keys: keyTables, limits: limitTable },
  'agent-runtime.md': {
    defaults: defaultTable,
    'providers that run': selfHostedTable,
    'their containers': containerTable,
    'their variables': addressTable,
    'providers outside': cloudTable,
    interfaces: adapterTable,
    overrides: editableTable,
  },
}

for (const [name, tables] of Object.entries(pages)) {
  const file = new URL(`../../../docs/reference/${name}`, import.meta.url)
  const old = readFileSync(file, 'utf8')
  const page = Object.entries(tables).reduce(
    (text, [marker, render]) => replacePart(text, marker, render()),
    old,
  )
  if (!process.argv.includes('--check')) writeFileSync(file, page)
  else if (page !== old) {
    console.error(`${name} is out of date: run \`pnpm run reference\` in packages/agent-spec`)
    process.exitCode = 1
  }
}

/** Replaces the part of a page between two markers. */
function replacePart(page: string, marker: string, part: string): string {
  const [start, end] = [`<!-- ${marker} -->`, `<!-- end of ${marker} -->`]
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`the page lacks ${start} and ${end}`)
  return `${page.slice(0, from)}${start}\n\n${part}\n\n${page.slice(to)}`
}
