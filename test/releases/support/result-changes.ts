import { schemaChanges, type Schema } from './schema-changes.ts'

/** The results of commands, as far as changes are found in them. */
export interface Results {
  readonly $defs: Readonly<Record<string, Result>>
}

type Result = Schema & {
  readonly 'x-body-of'?: readonly string[]
  readonly 'x-lines'?: boolean
  readonly 'x-has-names'?: boolean
}

const FORMS = ['x-lines', 'x-has-names'] as const

/** Returns the changes of what commands print that a program which reads it could notice. */
export function resultChanges(before: Results, after: Results): readonly string[] {
  return Object.entries(before.$defs).flatMap(([command, old]) => {
    const now = after.$defs[command]
    if (now === undefined) return [`${command}: removed`]
    return changesOf(old, now).map((change) => `${command}: ${change}`)
  })
}

function changesOf(old: Result, now: Result): readonly string[] {
  const same = <Part>(part: Part) => part
  const bodies = new Set(now['x-body-of'])
  return [
    ...FORMS.flatMap((form) => (old[form] === now[form] ? [] : [`${form} is ${now[form]}`])),
    ...(old['x-body-of'] ?? []).flatMap((body) =>
      bodies.has(body) ? [] : [`no longer the body of ${body}`],
    ),
    ...schemaChanges(old, now, { direction: 'response', old: same, now: same }),
  ]
}
