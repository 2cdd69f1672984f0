import type { Schemas } from '@slipway/client'

import { revisionsView } from '../../deployments/revisions-view.ts'
import { lines, table, type Block } from '../../output/blocks.ts'
import type { Printer } from '../../output/printer.ts'
import { wrap } from '../../output/wrap.ts'

type Revision = Schemas['Revision']

/**
 * Revisions, and why their pods are not ready, or were not. A pipe gets the reason at the end of
 * each row.
 */
export function viewHistory(
  revisions: readonly Revision[],
  people: ReadonlyMap<string, string> | undefined,
  { isTerminal, screen }: Pick<Printer, 'isTerminal' | 'screen'>,
): readonly Block[] {
  const all = revisionsView(revisions, people)
  if (!isTerminal) {
    const rows = all.rows.map((row, index) => [...row, revisions[index]?.reason ?? ''])
    return [table({ columns: [...all.columns, { title: 'REASON' }], rows, empty: all.empty })]
  }
  const reasons = revisions.flatMap((revision) => reasonLines(revision, screen.columns))
  return reasons.length === 0 ? [all] : [all, lines(...reasons)]
}

function reasonLines({ revision, reason }: Revision, columns: number): string[] {
  return reason === undefined ? [] : wrap(`revision ${revision} was not ready: ${reason}`, columns)
}
