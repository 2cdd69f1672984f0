import type { Schemas } from '@slipway/client'

import { lines, table, type Block, type Cell } from '../output/blocks.ts'
import type { Style } from '../output/style.ts'
import { differenceLine } from './difference-line.ts'

type PlannedChange = Schemas['PlannedChange']

/** Labels and annotations that each build changes in all objects. */
const BUILD_MARKS: ReadonlySet<string> = new Set([
  'app.kubernetes.io/version',
  'slipway.dev/build',
  'slipway.dev/build-id',
  'slipway.dev/template-hash',
])
const MARK = /\bmetadata\.(?:labels|annotations)\[([^\]]+)\]$/

const STYLES: Readonly<Record<PlannedChange['action'], Style | undefined>> = {
  create: 'good',
  change: 'warning',
  delete: 'bad',
  rejected: 'bad',
  unchanged: undefined,
}

/** What a deploy would do: its objects, the fields that change, the pods that restart. */
export function planView(plan: readonly PlannedChange[]): readonly Block[] {
  const changed = plan.filter(({ action }) => action !== 'unchanged')
  const unchanged = plan.length - changed.length
  const fields = changed.flatMap(fieldLines)
  const marked = changed.filter(({ fields: all = [] }) => all.some(isMark)).length
  return [
    ...(changed.length === 0 ? [] : [planTable(changed)]),
    ...(fields.length === 0 ? [] : [lines(...fields)]),
    ...(marked === 0 ? [] : [lines(`the labels of ${objectCount(marked)} name another build`)]),
    ...(unchanged === 0 ? [] : [lines(unchangedLine(changed.length, unchanged))]),
  ]
}

/** What is wrong with the images of a deploy. Images that are available are left out. */
export function imageLines(images: readonly Schemas['ImageCheck'][]): readonly Cell[] {
  return images
    .filter(({ availability }) => availability !== 'available')
    .map(({ path, image, availability, message }) => ({
      text: `${path}: ${message ?? `${image} is ${availability}`}`,
      style: 'warning',
    }))
}

function planTable(changed: readonly PlannedChange[]): Block {
  return table({
    columns: [
      { title: 'ACTION' },
      { title: 'KIND', shrinkTo: 6 },
      { title: 'NAME', shrinkTo: 12 },
      { title: 'RESTARTS', shrinkTo: 8 },
    ],
    rows: changed.map(({ action, kind, name, restarts = [] }) => [
      { text: action, style: STYLES[action] },
      kind,
      name,
      restarts.join(' '),
    ]),
    empty: '',
  })
}

function fieldLines(change: PlannedChange): (Cell | readonly Cell[])[] {
  const { kind, name, fields: all = [], omitted_fields: omitted = 0 } = change
  const fields = all.filter((field) => !isMark(field))
  if (fields.length === 0 && omitted === 0) return []
  const more = omitted === 0 ? [] : [`  and ${omitted} more fields`]
  return [{ text: `${kind}/${name}`, style: 'strong' }, ...fields.map(differenceLine), ...more]
}

/** Whether a field only says which build an object belongs to. */
function isMark({ path }: { readonly path: string }): boolean {
  return BUILD_MARKS.has(MARK.exec(path)?.[1] ?? '')
}

/** A number of objects, in words. */
export function objectCount(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`
}

function unchangedLine(changed: number, unchanged: number): Cell {
  const objects = objectCount(unchanged)
  const text = changed === 0 ? `nothing changes: ${objects}` : `${objects} unchanged`
  return { text, style: 'faint' }
}
