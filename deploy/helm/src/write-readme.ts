import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { chartValues, valuesTable, withTable } from './values-reference.ts'

// Writes the table of values into the chart's README.

const chart = join(import.meta.dirname, '../slipway')
const file = join(chart, 'README.md')
const values = chartValues(await readFile(join(chart, 'values.yaml'), 'utf8'))
await writeFile(file, withTable(await readFile(file, 'utf8'), valuesTable(values)))
