import { expect, test } from 'vitest'

import { parsePrices } from './parse-prices.ts'

const price = '{provider: acme, models: [m-*], from: 2026-01-31, input: 1, output: 2}'
const file = (changed: string) => `
providers: {acme: {names: [ACME]}}
prices: [${changed}]`

test('reads prices in YAML, by date and in lower case', () => {
  expect(parsePrices(file(price))).toEqual({
    frameworks: [],
    routers: [],
    prices: [
      {
        providers: ['acme'],
        models: ['m-*'],
        fromMs: Date.parse('2026-01-31'),
        input: 1,
        cachedInput: 1,
        cacheWrite: 1,
        output: 2,
      },
    ],
  })
})

test.each([
  ['- 1', 'the file: must be a mapping'],
  ['costs: []', 'the file: has the unknown key costs; it can have providers, frameworks, prices'],
  ['{}', 'prices: must be a list of at most 2000 elements'],
  [file('5'), 'prices[0]: must be a mapping'],
  [file(price.replace('acme', 'other')), 'prices[0].provider: must be one of the keys of prov'],
  [file(price.replace('input: 1', 'input: -1')), 'prices[0].input: must be US dollars'],
  [file(price.replace('input: 1', 'input: much')), 'a number from 0 to 100000 like 0.25'],
  [file(price.replace('input: 1, ', '')), 'prices[0].input: must be US dollars for a million'],
  [file(price.replace('2026-01-31', '2026-31-01')), 'from: must be a date like 2026-01-31'],
  [file(price.replace('m-*', '"*-*-*"')), 'prices[0].models[0]: must be a name of 1 to 200'],
  [file(price.replace('m-*', '')), 'prices[0].models: must have at least one element'],
  [file(price.replace('output', 'outputs')), 'prices[0]: has the unknown key outputs'],
])('%s is refused with a reason', (text, problem) => {
  expect(() => parsePrices(text)).toThrow(problem)
})

test('the valid prices of a file count, and all that is not valid is reported', () => {
  const problems: string[] = []
  const wrong = price.replace('input: 1', 'input: much')
  const text = `${file(`${wrong}, ${price}`)}\nframeworks: x\nrouter: []`
  const { prices } = parsePrices(text, (problem) => problems.push(problem))
  expect(prices).toEqual(parsePrices(file(price)).prices)
  expect(problems.map((problem) => problem.split(':')[0])).toEqual([
    'the file',
    'prices[0].input',
    'frameworks',
  ])
})
