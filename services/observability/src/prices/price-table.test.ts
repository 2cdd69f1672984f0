import { expect, test } from 'vitest'

import { builtInPrices } from './model-prices.ts'
import { parsePrices } from './parse-prices.ts'
import { PriceTable, type PricedTokens } from './price-table.ts'

const million = 1_000_000n
const tokens = (
  provider: string,
  model: string,
  changes: Partial<PricedTokens> = {},
): PricedTokens => ({
  provider,
  model,
  atNs: at('2025-12-31'),
  inputTokens: million,
  outputTokens: 0n,
  cachedTokens: 0n,
  cacheWrittenTokens: 0n,
  ...changes,
})
const at = (date: string) => BigInt(Date.parse(date)) * million
const usd = (table: PriceTable, call: PricedTokens) => Number(table.costOf(call)) / 1e9

const table = new PriceTable(
  parsePrices(
    JSON.stringify({
      providers: { acme: { names: ['acme', 'acme.*'] } },
      frameworks: ['langchain'],
      routers: ['router*'],
      prices: [
        { provider: 'acme', models: ['m-*'], from: '2025-01-01', input: 1, output: 2 },
        {
          provider: 'acme',
          models: ['m-large*'],
          from: '2025-01-01',
          input: 8,
          cached_input: 4,
          cache_write: 10,
        },
        { provider: 'acme', models: ['m-large*'], from: '2025-06-01', input: 6, output: 3 },
        { provider: 'acme', models: ['m-*-audio'], from: '2025-01-01', input: 50 },
      ],
    }),
  ),
)

test.each<[string, PricedTokens, number]>([
  ['a model by a pattern', tokens('acme', 'm-1'), 1],
  ['its output', tokens('acme', 'm-1', { outputTokens: million }), 3],
  ['the model that a router names', tokens('router_proxy', 'm-1'), 1],
  ['the model and provider that a router names', tokens('router', 'acme/m-large-2:nitro'), 6],
  ['the model at the end of a path', tokens('router', 'router/acme/m-large-2'), 6],
  ['no model of another provider', tokens('router', 'other/m-1'), 0],
  ['no model that costs nothing', tokens('router', 'acme/m-1:free'), 0],
  ['the model that was fine-tuned', tokens('acme', 'ft:m-1:my-org:name:id'), 1],
  ['no router that is not one', tokens('other', 'acme/m-1'), 0],
  ['the most exact pattern', tokens('acme', 'm-large-2'), 6],
  ['a pattern in the middle', tokens('acme', 'm-9-audio'), 50],
  ['the price of the day', tokens('acme', 'm-large', { atNs: at('2025-05-31') }), 8],
  [
    'cached tokens',
    tokens('acme', 'm-large', { atNs: at('2025-05-31'), cachedTokens: million / 2n }),
    6,
  ],
  [
    'more cached tokens than tokens',
    tokens('acme', 'm-large', { atNs: at('2025-05-31'), cachedTokens: 9n * million }),
    4,
  ],
  [
    'tokens written to a cache',
    tokens('acme', 'm-large', { atNs: at('2025-05-31'), cacheWrittenTokens: million / 2n }),
    9,
  ],
  [
    'more tokens written to a cache than are left',
    tokens('acme', 'm-large', {
      atNs: at('2025-05-31'),
      cachedTokens: million / 2n,
      cacheWrittenTokens: 9n * million,
    }),
    7,
  ],
  ['a provider by a pattern, in any case', tokens('Acme.Chat', 'M-1'), 1],
  ['a model of an unnamed provider', tokens('', 'm-1'), 1],
  ['a model behind a framework', tokens('langchain', 'm-1'), 1],
  ['a model with a path', tokens('acme', 'models/m-1'), 1],
  ['no other provider', tokens('ollama', 'm-1'), 0],
  ['no other model', tokens('acme', 'n-1'), 0],
  ['nothing before the first price', tokens('acme', 'm-1', { atNs: at('2024-12-31') }), 0],
  ['nothing without a model', tokens('acme', ''), 0],
  ['nothing implausible', tokens('acme', 'm-1', { inputTokens: 2n ** 54n }), 0],
])('prices %s', (_, call, expected) => {
  expect(usd(table, call)).toBe(expected)
})

test.each([
  ['acme', 'm-1', 'prices'],
  ['acme', 'path/m-1', 'prices'],
  ['acme', 'ft:m-1:my-org:name:id', 'base_prices'],
  ['router', 'acme/m-1', 'base_prices'],
])('says whose price it is: %s %s', (provider, model, source) => {
  expect(table.sourceOf({ provider, model })).toBe(source)
})

test.each([
  ['openrouter', 'anthropic/claude-sonnet-4.5', 3],
  ['openrouter', 'google/gemini-2.5-flash', 0.3],
  ['openrouter', 'meta-llama/llama-3.3-70b-instruct', 0],
  ['litellm_proxy', 'gpt-4o', 2.5],
  ['openai', 'ft:gpt-4o-2024-11-20:acme::AbC1', 2.5],
])('has the price of the model that %s names with %s', (provider, model, expected) => {
  expect(usd(builtInPrices, tokens(provider, model))).toBe(expected)
})

test('remembers a bounded number of names, and has the same prices again', () => {
  for (let count = 0; count < 3_000; count += 1) table.costOf(tokens('acme', `n-${count}`))
  expect(usd(table, tokens('acme', 'm-1'))).toBe(1)
})

test.each<[string, string, number]>([
  ['openai', 'gpt-4.1-mini-2025-04-14', 0.4],
  ['openai.responses', 'gpt-4o', 2.5],
  ['azure.ai.openai', 'gpt-4o-2024-05-13', 5],
  ['openai', 'gpt-4o-audio-preview', 0],
  ['openai', 'text-embedding-3-small', 0.02],
  ['anthropic', 'claude-sonnet-4-20250514', 3],
  ['aws.bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 3],
  ['google', 'claude-sonnet-4-5@20250929', 3],
  ['gcp.vertex_ai', 'claude-sonnet-4-5@20250929', 3],
  ['azure.ai.inference', 'claude-sonnet-4-5', 3],
  ['gcp.gemini', 'models/gemini-2.5-flash', 0.3],
  ['google', 'gemini-2.5-flash-lite', 0.1],
  ['mistral_ai', 'mistral-small-2506', 0.1],
  ['amazon-bedrock', 'us.amazon.nova-pro-v1:0', 0.8],
  ['deepseek', 'deepseek-chat', 0.28],
  ['x_ai', 'grok-3-mini', 0.3],
  ['ollama', 'mistral-small-latest', 0],
  ['vllm', 'my-own-model', 0],
])('knows the price of %s %s', (provider, model, expected) => {
  expect(usd(builtInPrices, tokens(provider, model))).toBe(expected)
})
