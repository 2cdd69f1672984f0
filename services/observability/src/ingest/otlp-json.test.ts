import { describe, expect, test } from 'vitest'

import { MAX_SPANS } from './bounds.ts'
import { UNREADABLE } from './unreadable-span.ts'
import { BadRequest } from './http-error.ts'
import { spansInJson } from './otlp-json.ts'

function spansIn(text: string) {
  return [...spansInJson(Buffer.from(text), () => {})]
}

function requestOf(...spans: readonly string[]): string {
  return `{"resourceSpans":[{"scopeSpans":[{"spans":[${spans.join(',')}]}]}]}`
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
  test('have ids in hexadecimal', () => {
    const [span] = spansIn(requestOf('{"traceId":"0a0b","spanId":"zz","links":[{"span_id":"0C"}]}'))
    expect(span).toMatchObject({
      traceId: Uint8Array.of(10, 11),
      spanId: new Uint8Array(),
      links: [{ spanId: Uint8Array.of(12) }],
    })
  })

  test.each([
    ['nothing', '{}'],
    ['lists that are null', '{"resourceSpans":[{"scopeSpans":null}]}'],
    ['what is unknown', '{"other":[1]}'],
  ])('are none in %s', (_, text) => {
    expect(spansIn(text)).toEqual([])
  })

  test.each([
    ['a list', '[]'],
    ['no list of resources', '{"resourceSpans":1}'],
    ['a resource that is a number', '{"resourceSpans":[1]}'],
    ['no list of spans', '{"resourceSpans":[{"scopeSpans":[{"spans":"x"}]}]}'],
    ['what is no JSON', '{'],
  ])('are refused as a whole in %s', (_, text) => {
    expect(statusOf(text)).toBe(400)
  })

  test('keep what is whole of a text with half a character', () => {
    const half = '\\ud83d'
    const attribute = `{"key":"k","value":{"arrayValue":{"values":[{"stringValue":"b${half}"}]}}}`
    const [bad, good] = spansIn(
      requestOf(`{"name":"a${half}","attributes":[${attribute}]}`, '{"name":"good"}'),
    )
    expect(bad).toMatchObject({
      name: 'a\ufffd',
      attributes: [{ value: { value: { value: { values: [{ value: { value: 'b\ufffd' } }] } } } }],
    })
    expect(good).toMatchObject({ name: 'good' })
  })

  test.each([
    ['is no object', '7', UNREADABLE.malformed],
    ['has a wrong type', '{"name":{}}', UNREADABLE.malformed],
    [
      'has too many attributes',
      `{"attributes":[${'{},'.repeat(1024)}{}]}`,
      UNREADABLE.tooManyChildren,
    ],
    [
      'has too much in an attribute',
      `{"attributes":[{"key":"k","value":{"arrayValue":{"values":[${'{},'.repeat(20_000)}{}]}}}]}`,
      UNREADABLE.tooManyValues,
    ],
  ])('are rejected one by one: one that %s', (_, text, reason) => {
    expect(spansIn(requestOf(text, '{"name":"good"}'))).toMatchObject([
      { reason },
      { name: 'good' },
    ])
  })
})

describe('a request in JSON that would take far more memory than it has bytes', () => {
  test.each([
    ['spans', requestOf('{},'.repeat(MAX_SPANS) + '{}')],
    ['values', requestOf('{},'.repeat(1_000_000) + '{}')],
    ['resources', `{"resourceSpans":[${'{},'.repeat(1_000_000)}{}]}`],
    ['numbers', `{"other":[${'1,'.repeat(1_000_000)}1]}`],
  ])('is refused: too many %s', (_, text) => {
    expect(statusOf(text)).toBe(413)
  })

  test('is not one whose texts only look like it', () => {
    const text = JSON.stringify('{"a":[1,2]},'.repeat(100_000))
    expect(spansIn(requestOf(`{"name":${text}}`))).toHaveLength(1)
  })

  test('has room reserved before it is parsed', () => {
    const refusal = () => {
      throw new Error('no room')
    }
    expect(() => [...spansInJson(Buffer.from('{'), refusal)]).toThrow('no room')
  })
})
