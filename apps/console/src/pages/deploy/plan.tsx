import type { Schemas } from '@slipway/client'
import { changesNothing } from '@slipway/words/plan'
import { Fragment, useEffect, useRef } from 'react'

import { visible } from '../../text/visible.ts'
import { WithCode } from '../../text/with-code.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { orderedChanges, orderedFields } from './plan-order.ts'

type Change = Schemas['PlannedChange']

const TONES: Readonly<Record<Change['action'], string>> = {
  create: 'good',
  change: 'warning',
  delete: 'bad',
  rejected: 'bad',
  unchanged: 'faint',
}

/** What a deploy would do to each object, and which pods it replaces. */
export function Plan({ validation }: { readonly validation: Schemas['ValidDeployment'] }) {
  const { plan = [], images = [], warnings = [] } = validation
  const { build_id: build, version, build_choice: choice } = validation
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const changed = orderedChanges(plan)
  const unchanged = plan.length - changed.length
  return (
    <section aria-labelledby="plan">
      <h2 id="plan" ref={heading} tabIndex={-1}>
        {changesNothing(plan) ? 'Nothing changes' : 'What the deploy will do'}
      </h2>
      <p>
        Build <code>{build}</code>
        {version !== undefined && ` (${version})`}
        {choice !== undefined && `, ${choice}`}
      </p>
      {images
        .filter(({ availability }) => availability !== 'available')
        .map(({ path, image, availability, message }) => (
          <p key={path} className="warning">
            {visible(`${path}: ${message ?? `${image} is ${availability}`}`)}
          </p>
        ))}
      {warnings.map((warning) => (
        <p key={warning} className="warning">
          <WithCode text={warning} />
        </p>
      ))}
      {changed.length > 0 && (
        <TableFrame label="Table of planned changes" isStacked>
          <table>
            <thead>
              <tr>
                <th scope="col">Action</th>
                <th scope="col">Kind</th>
                <th scope="col">Name</th>
                <th scope="col">Restarts</th>
              </tr>
            </thead>
            <tbody>
              {changed.map((change) => (
                <ChangeRows key={`${change.kind} ${change.name}`} change={change} />
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
      {unchanged > 0 && <p className="faint">Unchanged: {objects(unchanged)}.</p>}
    </section>
  )
}

function ChangeRows({ change }: { readonly change: Change }) {
  const { action, kind, name, restarts = [], fields = [], omitted_fields: omitted = 0 } = change
  const { main, metadata } = orderedFields(fields)
  return (
    <Fragment>
      <tr>
        <td className={TONES[action]}>{action}</td>
        <td>{kind}</td>
        <th scope="row">{visible(name)}</th>
        <td className="words" data-label={restarts.length > 0 ? 'Restarts' : undefined}>
          {visible(restarts.join(', '))}
        </td>
      </tr>
      {fields.length > 0 && (
        <tr>
          <td />
          <td colSpan={3} className="words">
            <Fields fields={main} />
            {omitted > 0 && (
              <p className="faint">
                and {omitted} more {omitted === 1 ? 'field' : 'fields'}
              </p>
            )}
            {metadata.length > 0 && (
              <details>
                <summary>
                  {metadata.length === 1
                    ? '1 label or annotation'
                    : `${metadata.length} labels and annotations`}
                </summary>
                <Fields fields={metadata} />
              </details>
            )}
          </td>
        </tr>
      )}
    </Fragment>
  )
}

function Fields({ fields }: { readonly fields: readonly Schemas['PlannedField'][] }) {
  if (fields.length === 0) return null
  return (
    <ul className="fields">
      {fields.map((field) => (
        <li key={field.path}>
          <code>{visible(field.path)}</code> {visible(difference(field))}
        </li>
      ))}
    </ul>
  )
}

function difference(field: Schemas['PlannedField']): string {
  if (!('old' in field) && !('new' in field)) return 'changes'
  return `${textOf(field.old)} → ${textOf(field.new)}`
}

function textOf(value: unknown): string {
  if (value === undefined) return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function objects(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`
}
