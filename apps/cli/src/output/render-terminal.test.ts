import { expect, test } from 'vitest'

import { fields, lines, table } from './blocks.ts'
import { renderForTerminal } from './render-terminal.ts'

const narrow = { columns: 30, color: false }
const wide = { columns: 100, color: false }

const agents = table({
  columns: [{ title: 'NAME', shrinkTo: 6 }, { title: 'PODS', align: 'right' }, { title: 'NOTE' }],
  rows: [
    ['a-very-long-name-of-an-agent', '12', 'ok'],
    ['b', '3', { text: 'failed', style: 'bad' }],
  ],
  empty: 'no agents',
})

test('aligns columns', () => {
  expect(renderForTerminal(agents, wide)).toBe(
    [
      'NAME                          PODS  NOTE',
      'a-very-long-name-of-an-agent    12  ok',
      'b                                3  failed',
    ].join('\n'),
  )
})

test('shortens the columns that may shrink until the table fits', () => {
  expect(renderForTerminal(agents, narrow)).toBe(
    [
      'NAME              PODS  NOTE',
      'a-very-long-nam…    12  ok',
      'b                    3  failed',
    ].join('\n'),
  )
})

test('shows the values below each other if the columns do not fit', () => {
  expect(renderForTerminal(agents, { columns: 20, color: false })).toBe(
    ['NAME    PODS  NOTE', 'a-ver…    12  ok', 'b          3  failed'].join('\n'),
  )
  expect(renderForTerminal(agents, { columns: 19, color: false })).toBe(
    [
      'NAME  a-very-long-name-of-an-agent',
      'PODS  12',
      'NOTE  ok',
      '',
      'NAME  b',
      'PODS  3',
      'NOTE  failed',
    ].join('\n'),
  )
})

test('leaves out columns that a narrow terminal has no room for', () => {
  const [name, pods] = agents.columns
  const optional = table({
    ...agents,
    columns: [name ?? { title: '' }, pods ?? { title: '' }, { title: 'NOTE', fromColumns: 31 }],
  })
  expect(renderForTerminal(optional, narrow).split('\n')[0]).toBe('NAME                      PODS')
  expect(renderForTerminal(optional, wide)).toContain('NOTE')
})

test('measures characters as terminals show them', () => {
  const wideNames = table({
    columns: [{ title: 'N' }, { title: 'X' }],
    rows: [
      ['東京', '1'],
      ['e\u0301', '2'],
    ],
    empty: '',
  })
  expect(renderForTerminal(wideNames, wide)).toBe('N     X\n東京  1\ne\u0301     2')
})

test('colors only where a terminal has colors', () => {
  expect(renderForTerminal(agents, { columns: 100, color: true })).toContain(
    '\u001b[31mfailed\u001b[39m',
  )
  expect(renderForTerminal(agents, wide)).not.toContain('\u001b')
})

test('lets no text of others control the terminal', () => {
  const hostile = 'a\u001b]0;title\u0007\u001b[2Jb\u202ec\rd\ne'
  for (const block of [
    table({ columns: [{ title: 'N' }], rows: [[hostile]], empty: '' }),
    fields({ name: hostile }),
    lines(hostile),
  ])
    for (const character of '\u001b\u0007\u202e\r')
      expect(renderForTerminal(block, wide)).not.toContain(character)
})

test('says that a table is empty', () => {
  expect(renderForTerminal({ ...agents, rows: [] }, wide)).toBe('no agents')
})
