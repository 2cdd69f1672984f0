import { join } from 'node:path'

import { prepareEnvironment } from './environment.ts'
import { record } from './record.ts'
import type { Sender } from './sender.ts'
import { senders } from './senders/index.ts'

const RECORDINGS = join(import.meta.dirname, '..')
const CACHE = process.env['RECORDINGS_CACHE_DIR']

/** The cases of a sender that a filter names, `<sender>` or `<sender>/<case>`. Without, all. */
function wantedCases({ name, cases }: Sender, filters: readonly string[]): string[] {
  return Object.keys(cases).filter(
    (each) =>
      filters.length === 0 || [name, `${name}/${each}`].some((filter) => filters.includes(filter)),
  )
}

async function main(filters: readonly string[]): Promise<number> {
  if (CACHE === undefined) throw new Error('run ./dev recordings')
  const wanted = senders.flatMap((sender) =>
    wantedCases(sender, filters).map((name) => ({ sender, name })),
  )
  if (wanted.length === 0) throw new Error(`no sender or case has the name ${filters.join(', ')}`)
  let failed = 0
  for (const { sender, name } of wanted) {
    const title = `${sender.name}/${name}`
    try {
      const environment = await prepareEnvironment(sender, CACHE)
      console.log(`${title}: ${await record(sender, name, environment, RECORDINGS)} bytes`)
    } catch (error) {
      failed += 1
      console.error(`${title}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return failed === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
