import { expect, test } from 'vitest'

import { detailsInText } from './usage-text.ts'

test.each([
  ["{'prompt_tokens_details': {'cached_tokens': 16}}", [16, 0, 0]],
  ["{'cache_read_input_tokens': 16, 'cache_write_input_tokens': 9}", [16, 9, 0]],
  ["{'completion_tokens_details': {'reasoning_tokens': 5}}", [0, 0, 5]],
  ["{'cached_tokens': None, 'reasoning_tokens': -5}", [0, 0, 0]],
  ["{'cached_tokens': 99999999999999999999}", [0, 0, 0]],
  ['{}', [0, 0, 0]],
])('reads the details in %s', (usage, [cached, written, reasoning]) => {
  const content = `TextContent(text="'cached_tokens': 7, 'reasoning_tokens': 7")`
  const text = `ChatMessage(_content=[${content}], _name=None, _meta={'usage': ${usage}})`
  const details = detailsInText(text)
  expect(Object.values(details).map(Number)).toEqual([cached, written, reasoning])
})

test('reads no details in an answer', () => {
  expect(detailsInText("{'cached_tokens': 16}").cachedTokens).toBe(0n)
})
