import { isDeepStrictEqual } from 'node:util'

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Engine } from '../src/store/engine.ts'
import {
  dateTime,
  fixedString,
  lowCardinality,
  nativeBlock,
  string,
  traceTail,
  uint64,
  uint8,
} from '../src/store/native-block.ts'
import { openTestEngine } from './support/test-engine.ts'

let engine: Engine

beforeAll(async () => {
  engine = await openTestEngine()
  await engine.command(`
    CREATE TABLE rows (place UInt64, text String, word LowCardinality(String), byte UInt8,
      number UInt64, time DateTime64(9, 'UTC'), id FixedString(16), tail UInt32)
    ENGINE = MergeTree ORDER BY place`)
})
afterAll(() => engine?.[Symbol.asyncDispose]())

interface Row {
  readonly place: bigint
  readonly text: string
  readonly word: string
  readonly byte: number
  readonly number: bigint
  readonly id: string
}

const columns = [
  uint64('place', (row: Row) => row.place),
  string('text', (row: Row) => row.text),
  lowCardinality('word', (row: Row) => row.word),
  uint8('byte', (row: Row) => row.byte),
  uint64('number', (row: Row) => row.number),
  dateTime('time', (row: Row) => row.number / 2n),
  fixedString('id', 16, (row: Row) => row.id),
  traceTail('tail', (row: Row) => row.id),
]
const names = columns.map(({ name }) => name)

async function select(sql: string): Promise<readonly unknown[]> {
  const limits = { timeoutMs: 60_000, signal: new AbortController().signal }
  return await engine.query(sql, {}, limits)
}

async function insertAndRead(rows: readonly Omit<Row, 'place'>[]): Promise<readonly unknown[]> {
  await engine.command('TRUNCATE TABLE rows')
  const placed = rows.map((row, index) => ({ ...row, place: BigInt(index) }))
  const half = Math.floor(rows.length / 2)
  const blocks = [placed.slice(0, half), placed.slice(half)]
    .filter((part) => part.length > 0)
    .map((part) => nativeBlock(columns, part))
  await engine.insert('rows', names, blocks)
  return await select(`
    SELECT text, word, byte, toString(number) AS digits, lower(hex(id)) AS hex,
      toString(toUnixTimestamp64Nano(time)) AS ns,
      tail = reinterpretAsUInt32(substring(id, 13, 4)) AS has_tail
    FROM rows ORDER BY place`)
}

const shown = ({ text, word, byte, number, id }: Omit<Row, 'place'>) => ({
  text: text.toWellFormed(),
  word: word.toWellFormed(),
  byte,
  digits: String(number),
  hex: id.padEnd(32, '0'),
  ns: String(number / 2n),
  has_tail: 1,
})

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('', '\n\n', '\0', ';', "'", '\ud800', '\udc00', '😀', 'ÿ\n\n'),
)
const rowsOfAnyKind = fc.array(
  fc.record({
    text: texts,
    word: texts,
    byte: fc.nat(255),
    number: fc.bigInt(0n, 2n ** 63n - 1n),
    id: fc.oneof(
      fc.constant(''),
      fc.uint8Array({ minLength: 16, maxLength: 16 }).map((id) => Buffer.from(id).toString('hex')),
    ),
  }),
  { minLength: 1, maxLength: 400 },
)

test('any values are stored as they are', async () => {
  await fc.assert(
    fc.asyncProperty(rowsOfAnyKind, async (rows) => {
      expect(await insertAndRead(rows)).toEqual(rows.map(shown))
    }),
    { numRuns: 20 },
  )
})

test('texts of any length are stored as they are', async () => {
  const lengths = [41, 42, 43, 127, 128, 5461, 5462, 16_383, 16_384, 699_050, 699_051, 2_100_000]
  const rows = lengths.flatMap((length) =>
    ['x', '€'].map((unit) => ({
      text: unit.repeat(length),
      word: `word ${length}`,
      byte: 0,
      number: 0n,
      id: '',
    })),
  )
  const read = await insertAndRead(rows)
  // The texts are too long to be printed.
  const areEqual = rows.map((row, index) => isDeepStrictEqual(read[index], shown(row)))
  expect(areEqual).toEqual(rows.map(() => true))
})

test('inserts wait for each other, and one that fails takes no other with it', async () => {
  await engine.command('TRUNCATE TABLE rows')
  const row = { text: '\n\n', word: '', byte: 1, number: 1n, id: '' }
  const block = (place: number) => nativeBlock(columns, [{ ...row, place: BigInt(place) }])
  const results = await Promise.allSettled([
    engine.insert('rows', names, [block(0)]),
    engine.insert('missing', names, [block(1)]),
    engine.insert('rows', names, [new Uint8Array([1, 200])]),
    engine.insert('rows', names, [block(2), block(3)]),
  ])
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
  ])
  expect(results[1]).toMatchObject({ reason: { code: '60' } })
  expect(await select('SELECT groupArraySorted(9)(toUInt8(place)) AS places FROM rows')).toEqual([
    { places: [0, 2, 3] },
  ])
})
