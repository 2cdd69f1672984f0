import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { expect, test } from 'vitest'
import { parse } from 'yaml'

const ROOT = resolve(import.meta.dirname, '../../..')
const read = (path: string) => readFile(join(ROOT, path), 'utf8')

interface Alarms {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string
      readonly expr: string
      readonly annotations: { readonly runbook_url: string }
    }[]
  }[]
}

/** Prometheus adds them to all metrics of a target. */
const LABELS_OF_TARGETS = ['job', 'namespace']

const alarms = parse(await read('deploy/helm/slipway/files/alarms.yaml')) as Alarms
const rules = alarms.groups.flatMap((group) => group.rules)

test('the alarms use metrics and labels that docs/reference/metrics.md describes', async () => {
  const rows = (await read('docs/reference/metrics.md')).split('\n')
  const described = rows
    .filter((row) => row.startsWith('| `'))
    .map((row) => [...row.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name))
  const problems = rules.flatMap(({ alert, expr }) =>
    [...expr.matchAll(/\b([a-z]+_[a-z_]+)(?:\{([^}]*)\})?\[/g)].flatMap(
      ([, metric = '', selector = '']) => {
        const [name, ...labels] =
          described.find(([each]) => metric.replace(/_(count|bucket)$/, '') === each) ?? []
        if (name === undefined) return `${alert}: ${metric}`
        return [...selector.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)]
          .filter(([, label = '']) => ![...labels, ...LABELS_OF_TARGETS].includes(label))
          .map(([, label]) => `${alert}: ${metric}{${label}}`)
      },
    ),
  )
  expect(problems).toEqual([])
  expect(rules.filter(({ expr }) => /_(count|bucket|total)\b/.test(expr))).toHaveLength(5)
})

test('each alarm has a runbook in the guide', async () => {
  const headings = (await read('docs/guide/alarms.md')).matchAll(/^#+ (.+)$/gm)
  const anchors = new Set([...headings].map(([, heading = '']) => heading.toLowerCase()))
  for (const { alert, annotations } of rules) {
    expect(annotations.runbook_url).toBe(`GUIDES/alarms.md#${alert.toLowerCase()}`)
    expect(anchors).toContain(alert.toLowerCase())
  }
})
