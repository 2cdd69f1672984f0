import { expect, test } from 'vitest'

import { readSearch, searchTextOf, wordsOf } from './search-words.ts'

test.each([
  ['', [], []],
  ['  Chat \t BOT chat ', ['chat', 'bot'], []],
  ['ai chat-bot', ['chat-bot'], ['ai']],
  ['a_b c#', [], ['a', 'b', 'c']],
  ['Été 東京', [], ['été', '東京']],
  ['éclair', ['éclair'], []],
  ['% _ \\ -- \0 !', [], []],
  ["x'y", [], ['x', 'y']],
])('the query %j searches for %j anywhere, and for %j as prefixes', (query, anywhere, prefixes) => {
  expect(readSearch(query)).toEqual({ anywhere, prefixes })
})

test('the words of a text are distinct, lower-case and bounded in length', () => {
  expect(wordsOf(searchTextOf('my-bot.v2', ['Bot', 'Éte'], 'It ANSWERS. It answers!'))).toEqual([
    'my',
    'bot',
    'v2',
    'éte',
    'it',
    'answers',
  ])
  expect(wordsOf('x'.repeat(100))).toEqual(['x'.repeat(64)])
})

test('truncation never splits a character', () => {
  const text = searchTextOf('n', [], '😀'.repeat(10_000))
  expect(text.isWellFormed()).toBe(true)
  expect(wordsOf(`a${'𝒳'.repeat(50)}`)[0]?.isWellFormed()).toBe(true)
})
