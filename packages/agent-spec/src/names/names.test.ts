import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { isEnvName, joinEnvName, sanitizeEnvName } from './environment-name.ts'
import {
  boundedName,
  componentName,
  labelValue,
  NAME_LIMITS,
  namespaceName,
  objectName,
} from './object-name.ts'

describe('variables', () => {
  test.each([
    ['my-docs', 'MY_DOCS'],
    ['my.docs v2', 'MY_DOCS_V2'],
    ['Straße', 'STRA_E'],
    ['a😀b', 'A_B'],
    ['UPPER_9', 'UPPER_9'],
    ['', ''],
  ])('turns %j into %j', (name, expected) => {
    expect(sanitizeEnvName(name)).toBe(expected)
  })

  test('prefixes a leading digit', () => {
    expect(joinEnvName('3cx', 'API_KEY')).toBe('_3CX_API_KEY')
  })

  test('joins any strings to a valid name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }), (name) => {
        expect(isEnvName(joinEnvName(name, 'X'))).toBe(true)
      }),
    )
  })

  test.each(['', '1A', 'A-B', 'A B', 'Ä', 'A'.repeat(254)])(
    'rejects %j as the name of a variable',
    (name) => {
      expect(isEnvName(name)).toBe(false)
    },
  )
})

describe('objects', () => {
  test.each([
    [objectName('support', 'agent'), 'support-agent'],
    [objectName('support', 'knowledge', 'My_Docs'), 'support-knowledge-my-docs'],
    [objectName('007', 'tool', 'x'), 'a-007-tool-x'],
    [objectName('a.b_c', 'messaging'), 'a-b-c-messaging'],
    [componentName('agent'), 'agent'],
    [componentName('model', 'local_llm'), 'model-local_llm'],
  ])('%s', (actual, expected) => {
    expect(actual).toBe(expected)
  })

  test('are DNS-1035 labels within their limit for any names', () => {
    const limit = fc.constantFrom(...Object.values(NAME_LIMITS))
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        limit,
        (agent, entry, max) => {
          const name = objectName(agent, 'model', entry, max)
          expect(name).toMatch(/^[a-z]([-a-z0-9]*[a-z0-9])?$/)
          expect(name.length).toBeLessThanOrEqual(max)
        },
      ),
    )
  })

  test('differ even if their first parts are the same', () => {
    const long = 'x'.repeat(80)
    expect(objectName(`${long}1`, 'agent')).not.toBe(objectName(`${long}2`, 'agent'))
    expect(objectName(long, 'model', 'a')).not.toBe(objectName(long, 'model', 'b'))
    expect(boundedName([long, 'a'], NAME_LIMITS.cronJob)).not.toBe(
      boundedName([`${long}-a`], NAME_LIMITS.cronJob),
    )
  })
})

describe('labels', () => {
  test('keep a valid text', () => {
    expect(labelValue('v1.2.3-rc.1_x')).toBe('v1.2.3-rc.1_x')
  })

  test('follow the grammar of label values, and differ for different long strings', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(labelValue(text)).toMatch(/^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/)
      }),
    )
    expect(labelValue(`${'b'.repeat(127)}1`)).not.toBe(labelValue(`${'b'.repeat(127)}2`))
  })
})

describe('namespaces', () => {
  const ids = { accountId: 'acc_1', sourceAccountId: 'acc_1', agent: 'support' }

  test('are made from ids', () => {
    expect(namespaceName(ids)).toMatch(/^agent-support-[0-9a-f]{10}$/)
    expect(namespaceName({ ...ids, sourceAccountId: 'acc_2' })).not.toBe(namespaceName(ids))
  })

  test('cut the name of the agent, not the hash', () => {
    const name = namespaceName({ ...ids, agent: `${'y'.repeat(39)}.${'z'.repeat(30)}` })
    expect(name).toMatch(/^agent-y{39}-[0-9a-f]{10}$/)
  })
})
