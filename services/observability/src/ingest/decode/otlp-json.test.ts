import { describe, expect, test } from 'vitest'

import { MAX_SPANS } from './bounds.ts'
import { BadRequest } from './http-error.ts'
import { spansInJson } from './otlp-json.ts'
import { UNREADABLE } from './unreadable-record.ts'

function spansIn(text: string) {
  return [...spansInJson(Buffer.from(text), () => {})].filter((each) => !('isPause' in each))
}

function requestOf(...spans: readonly string[]): string {
  return `{"resourceSpans":[{"scopeSpans":[{"spans":[${spans.join(',')}]}]}]}`
}

const TOKENS = '{"key":"gen_ai.usage.input_tokens","value":{"intValue":"5"}}'

function listOf(elements: string): string {
  return `{"key":"k","value":{"arrayValue":{"values":[${elements}{}]}}}`
}

function nested(depth: number): string {
  return `${'{"arrayValue":{"values":['.repeat(depth)}{}${']}}'.repeat(depth)}`
}

function statusOf(text: string): number | undefined {
  try {
    spansIn(text)
    return undefined
  } catch (error) {
    return error instanceof BadRequest ? error.status : 400
  }
}

describe('the spans of a request in JSON', () => {
  test('have hexadecimal ids', () => {
    const [span] = spansIn(requestOf('{"traceId":"0a0b","spanId":"zz","parent_span_id":"0C"}'))
    expect(span).toMatchObject({
      span: {
        traceId: Uint8Array.of(10, 11),
        spanId: new Uint8Array(),
        parentSpanId: Uint8Array.of(12),
      },
    })
  })

  test.each([
    ['an empty request', '{}'],
    ['null lists', '{"resourceSpans":[{"scopeSpans":null}]}'],
    ['unknown fields', '{"other":[1]}'],
  ])('are an empty list for %s', (_, text) => {
    expect(spansIn(text)).toEqual([])
  })

  test.each([
    ['a list', '[]'],
    ['resources that are not a list', '{"resourceSpans":1}'],
    ['invalid JSON', '{'],
    ['a truncated text', '{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"x'],
    ['text after the JSON', '{} {}'],
  ])('are rejected as a whole for %s', (_, text) => {
    expect(statusOf(text)).toBe(400)
  })

  test('have lone surrogates replaced', () => {
    const half = '\\ud83d'
    const attribute = `{"key":"k","value":{"arrayValue":{"values":[{"stringValue":"b${half}"}]}}}`
    const [bad, good] = spansIn(
      requestOf(`{"name":"a${half}","attributes":[${attribute}]}`, '{"name":"good"}'),
    )
    expect(bad).toMatchObject({
      span: {
        name: 'a\ufffd',
        attributes: [
          { value: { value: { value: { values: [{ value: { value: 'b\ufffd' } }] } } } },
        ],
      },
    })
    expect(good).toMatchObject({ span: { name: 'good' } })
  })

  test.each([
    ['is not an object', '7', UNREADABLE.malformed],
    ['is not JSON', '{"name":undefined}', UNREADABLE.malformed],
    ['has too many values', `{"other":[${'1,'.repeat(200_001)}1]}`, UNREADABLE.tooLarge],
  ])('are rejected one by one: a span that %s', (_, text, reason) => {
    expect(spansIn(requestOf(text, '{"name":"good"}'))).toMatchObject([
      { reason },
      { span: { name: 'good' } },
    ])
  })

  test.each([
    ['a resource', '1'],
    ['scopes', '{"scopeSpans":"x"}'],
    ['a scope', '{"scopeSpans":[7]}'],
    ['spans', '{"scopeSpans":[{"spans":"x"}]}'],
  ])('are found next to %s of another type', (_, resource) => {
    const good = '{"scopeSpans":[{"spans":[{"name":"good"}]}]}'
    expect(spansIn(`{"resourceSpans":[${resource},${good}]}`)).toMatchObject([
      { reason: UNREADABLE.malformed },
      { span: { name: 'good' } },
    ])
  })

  test('are found in any order and form of the members around them', () => {
    const scoped = ' { "spans" : [ {"name":"[\\"{"} ,\n{} ] , "scope":{"x":[],"name":"s\\u0031"}}'
    const body = `\ufeff{"other":{"spans":[1]},"resource_spans":[{"scope_spans":[${scoped}]}]}`
    expect(spansIn(body)).toMatchObject([{ span: { name: '["{' }, scope: 's1' }, { scope: 's1' }])
  })

  test('may have numbers that JSON does not have', () => {
    const attribute = '{"key":"NaN","value":{"doubleValue":-Infinity}}'
    const [span] = spansIn(requestOf(`{"name":"a NaN \\" Infinity","attributes":[${attribute}]}`))
    expect(span).toMatchObject({
      span: {
        name: 'a NaN " Infinity',
        attributes: [{ key: 'NaN', value: { value: { value: -Infinity } } }],
      },
    })
  })

  test.each([
    ['attributes', `"attributes":[${TOKENS},${'{},'.repeat(1024)}{}]`, { attributes: 1025 - 1023 }],
    [
      'the first messages of a conversation',
      `"attributes":[${TOKENS},${listOf('{},'.repeat(20_000))}]`,
      { attributes: 0 },
    ],
    [
      'attributes that are nested too deeply',
      `"attributes":[${TOKENS},{"key":"k","value":${nested(2_000)}}]`,
      { attributes: 1 },
    ],
    ['events', `"attributes":[${TOKENS}],"events":[${'{},'.repeat(1024)}{}]`, { events: 1 }],
  ])('lose %s if they are too large', (_, members, removed) => {
    const text = requestOf(`{"name":"long",${members}}`, '{"name":"good"}')
    expect(spansIn(text)).toMatchObject([
      { span: { name: 'long', attributes: expect.arrayContaining([usage]) }, removed },
      { span: { name: 'good' } },
    ])
  })

  test('have the name of their scope', () => {
    const scoped = (scope: string) => `{"scope":${scope},"spans":[{}]}`
    const scopes = ['{"name":"one"}', '{"name":7}', '7', 'null'].map(scoped).join(',')
    const spans = spansIn(`{"resourceSpans":[{"scopeSpans":[${scopes}]}]}`)
    expect(spans.map((span) => ('scope' in span ? span.scope : undefined))).toEqual([
      'one',
      '',
      '',
      '',
    ])
  })
})

const usage = expect.objectContaining({ key: 'gen_ai.usage.input_tokens' }) as unknown

describe('a JSON request that takes far more memory than its size', () => {
  test.each([
    ['spans', requestOf('{},'.repeat(MAX_SPANS) + '{}')],
    ['values', requestOf('{},'.repeat(1_000_000) + '{}')],
    ['resources', `{"resourceSpans":[${'{},'.repeat(1_000_000)}{}]}`],
    ['scopes', `{"resourceSpans":[{"scopeSpans":[${'{},'.repeat(1_000_000)}{}]}]}`],
  ])('is rejected: too many %s', (_, text) => {
    expect(statusOf(text)).toBe(413)
  })

  test('is not confused with a long string', () => {
    const text = JSON.stringify('{"a":[1,2]},'.repeat(100_000))
    expect(spansIn(requestOf(`{"name":${text}}`))).toHaveLength(1)
  })

  test('lets the event loop continue while its spans are found', () => {
    const name = 'n'.repeat(2 * 1024 * 1024)
    const long = requestOf(`{"name":"${name}"}`, ...Array.from({ length: 9 }, () => '{}'))
    const many = requestOf(
      ...Array.from({ length: 3_000 }, () => `{"name":"${name.slice(0, 999)}"}`),
    )
    for (const text of [long, many]) {
      const found = [...spansInJson(Buffer.from(text), () => {})]
      expect(found.filter((each) => 'isPause' in each)).toHaveLength(2)
      expect(found.slice(0, 2).every((each) => 'isPause' in each)).toBe(true)
    }
  })

  test('may not have a megabyte of white space in one place', () => {
    expect(statusOf(requestOf(' '.repeat(1024 * 1024 + 1)))).toBe(400)
  })

  test('has its memory reserved before it is parsed', () => {
    const reserve = () => {
      throw new Error('no memory left')
    }
    expect(() => [...spansInJson(Buffer.from('{}'), reserve)]).toThrow('no memory left')
  })
})

test('reads 30 MiB of spans', () => {
  const value = { stringValue: 'The umbrella is in the hall. '.repeat(50) }
  const span = {
    traceId: 'ab'.repeat(16),
    spanId: 'cd'.repeat(8),
    name: 'chat',
    attributes: [{ key: 'output.value', value }],
  }
  const spans = Array.from({ length: 20_000 }, () => span)
  const body = Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))
  expect(body.length).toBeGreaterThan(30 * 2 ** 20)
  const found = [...spansInJson(body, () => {})].filter((each) => each && 'span' in each)
  expect(found).toHaveLength(spans.length)
})
