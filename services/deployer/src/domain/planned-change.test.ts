import { expect, test } from 'vitest'

import { limitFields, PLAN_LIMITS, plannedChange } from './planned-change.ts'

const REDACTED = (text: string) => text.replaceAll('secret-value', '[redacted]')
const compare = (kind: string, before: object | undefined, after: object, isPartial = false) =>
  plannedChange({ kind, name: 'a', before, after, isPartial, pods: ['a-1'] }, REDACTED)

test('never shows the value of a Secret, nor a secret in another object', () => {
  const secret = (value: string) => ({ kind: 'Secret', data: { TOKEN: value } })
  expect(compare('Secret', secret('b2xk'), secret('bmV3')).fields).toEqual([
    { path: 'data.TOKEN', oldJson: '', newJson: '' },
  ])
  const map = (text: string) => ({ kind: 'ConfigMap', data: { URL: text } })
  const { fields } = compare('ConfigMap', map('x'), map('http://secret-value@host'))
  expect(fields).toEqual([
    { path: 'data.URL', oldJson: '"x"', newJson: '"http://[redacted]@host"' },
  ])
})

test('distinguishes creations, changes and unchanged objects', () => {
  const object = { spec: { a: 1, template: { b: 1 } } }
  expect(compare('Deployment', undefined, object)).toMatchObject({ action: 'create', restarts: [] })
  expect(compare('Deployment', object, object)).toMatchObject({ action: 'unchanged', restarts: [] })
  const scaled = { spec: { ...object.spec, a: 2 } }
  expect(compare('Deployment', object, scaled)).toMatchObject({ action: 'change', restarts: [] })
  const replaced = { spec: { ...object.spec, template: { b: 2 } } }
  expect(compare('Deployment', object, replaced)).toMatchObject({ restarts: ['a-1'] })
  // A replaced object is compared with the fields that the deployer sets.
  expect(compare('Deployment', object, { spec: { a: 1 } }, true).action).toBe('unchanged')
})

test('cuts long values and long lists of fields', () => {
  const texts = (text: string) => ({
    data: Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`K${index}`, text])),
  })
  const change = compare('ConfigMap', texts('short'), texts('x'.repeat(600)))
  expect([change.fields.length, change.omittedFields]).toEqual([PLAN_LIMITS.fieldsOfObject, 10])
  expect(change.fields[0]?.newJson).toBe(JSON.stringify(`${'x'.repeat(500)}…`))
  const plan = limitFields(Array.from({ length: 11 }, () => change))
  expect(plan.map(({ fields }) => fields.length)).toEqual([...Array<number>(10).fill(50), 0])
  expect(plan.at(-1)?.omittedFields).toBe(60)
})
