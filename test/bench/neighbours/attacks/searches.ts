import { GROUPS, LETTERS } from '../../catalog/seed.ts'
import { repeat, type Attack } from './attack.ts'

const LOOPS = 64
const MAX_PAGE = 1000

/** Attacks with searches and pages of the catalog, each another one, so that none is in memory. */
export const searches: Readonly<Record<string, Attack>> = {
  'searches for a letter': search((count) => `q=${letter(count)}%20${letter(count + 5)}`),
  'searches for common words': search((count) => `q=${letter(count)}word%20invoices`),
  'searches for tags': search((count) => `tag=group-${count % GROUPS}`),
  'searches for what few match': search(
    (count) => `q=${letter(count)}word%20-%20${letter(count + 1)}word%20x${count}`,
  ),
  'largest pages of the catalog': search((count) => `cursor=${cursorOf(count)}`),
}

function search(query: (count: number) => string): Attack {
  return async ({ system, person: { client } }) => {
    let count = 0
    await repeat(LOOPS, () => {
      count += 1
      const page = `limit=${MAX_PAGE - (count % MAX_PAGE)}&include=spec,readme`
      return client.send('GET', `${system.gatewayUrl}/agents?${query(count)}&${page}`)
    })
  }
}

/** A cursor in the middle of the list. */
function cursorOf(count: number): string {
  const name = `agent-${String(50_000 + (count % 40_000)).padStart(6, '0')}`
  return Buffer.from(`${name}/account-000000`).toString('base64url')
}

function letter(count: number): string {
  return LETTERS[count % LETTERS.length] ?? ''
}
