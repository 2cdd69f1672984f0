import type { Schemas } from '@slipway/client'
import { authorOf, changeOf, readinessOf } from '@slipway/words/revisions'

import { table, type Table, type Text } from '../output/blocks.ts'
import type { Style } from '../output/style.ts'
import { ago } from '../output/times.ts'

type Revision = Schemas['Revision']

const STYLES: Readonly<Record<Revision['state'], Style | undefined>> = {
  applying: 'accent',
  applied: undefined,
  partial: 'warning',
  failed: 'bad',
  superseded: 'faint',
}

/** Revisions, the newest first: who made them, when, and what they changed. */
export function revisionsView(
  revisions: readonly Revision[],
  people: ReadonlyMap<string, string> = new Map(),
): Table {
  return table({
    columns: [
      { title: 'REV', align: 'right' },
      { title: 'STATE' },
      { title: 'READY', fromColumns: 60 },
      { title: 'BUILD', shrinkTo: 6, fromColumns: 50 },
      { title: 'CHANGE', shrinkTo: 8 },
      { title: 'WHEN', shrinkTo: 6 },
      { title: 'WHO', shrinkTo: 5, fromColumns: 70 },
    ],
    rows: revisions.map((revision, index) => [
      String(revision.revision),
      stateOf(revision),
      readiness(revision),
      revision.version ?? revision.build_id,
      changeOf(revision, revisions[index + 1]),
      ago(revision.created_at),
      authorOf(revision, people),
    ]),
    empty: 'no revisions: it was never deployed',
  })
}

function stateOf({ state, live }: Revision): Text {
  return live ? { text: 'live', style: 'good' } : { text: state, style: STYLES[state] }
}

function readiness(revision: Revision): Text {
  const text = readinessOf(revision)
  const styles = { yes: 'good', never: 'warning', unknown: undefined, was: undefined } as const
  return { text, style: styles[text] }
}
