import type { Difference } from '@slipway/words/json-diff'

import { visible } from '../../text/visible.ts'
import { TableFrame } from '../../ui/table-frame.tsx'

interface DifferencesProps {
  readonly title: string
  readonly changes: readonly Difference[]
}

/** The values that differ, by their paths. */
export function Differences({ title, changes }: DifferencesProps) {
  if (changes.length === 0) return null
  const id = `changes-${title.toLowerCase()}`
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <TableFrame label={`Changes of the ${title.toLowerCase()}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <tr key={change.path}>
                <th scope="row" className="words">
                  <code>{visible(change.path)}</code>
                </th>
                <td className="words">
                  {'old' in change ? <del>{textOf(change.old)}</del> : <Absent />}
                </td>
                <td className="words">
                  {'new' in change ? <ins>{textOf(change.new)}</ins> : <Absent />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </section>
  )
}

function Absent() {
  return <span className="faint">not set</span>
}

function textOf(value: unknown): string {
  return visible(typeof value === 'string' ? value : JSON.stringify(value))
}
