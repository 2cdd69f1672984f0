import { expect, test } from 'vitest'

import { RootRank, type StoredSpan } from '../domain/span.ts'
import { spanSignal } from './spans/span-signal.ts'
import { builtInPrices } from '../prices/model-prices.ts'
import { InsertBatch } from './pipeline/insert-batch.ts'

const MIB = 1024 * 1024
const owner = {
  accountId: 'a',
  deployedBy: 'u',
  agent: 'helper',
  agentId: '',
  deploymentId: 'd',
  buildId: 'b',
}

const spanWith = (input: string): StoredSpan => ({
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentSpanId: '',
  rootRank: RootRank.NoParent,
  startTimeNs: 1_700_000_000_000_000_000n,
  durationNs: 1n,
  firstTokenNs: 0n,
  name: 'chat',
  kind: 1,
  isError: false,
  isFailedRun: false,
  statusMessage: '',
  type: '',
  scope: '',
  input,
  output: '',
  messages: '',
  toolName: '',
  provider: '',
  model: '',
  responseId: '',
  sessionId: '',
  userId: '',
  inputTokens: 0n,
  outputTokens: 0n,
  totalInputTokens: 0n,
  totalOutputTokens: 0n,
  cachedTokens: 0n,
  cacheWrittenTokens: 0n,
  reasoningTokens: 0n,
  costNanoUsd: 0n,
  totalCostNanoUsd: 0n,
  costSource: '',
  finishReason: '',
  attributes: '{}',
  events: '[]',
})

function startBatch(write: (block: Uint8Array) => void = () => {}) {
  let taken = 0
  let most = 0
  const memory = {
    grow: (bytes: number) => {
      taken += bytes
      most = Math.max(most, taken)
    },
    shrinkBy: (bytes: number) => {
      taken -= bytes
    },
  }
  let version = 0
  const nextVersion = () => (version += 1)
  const signal = spanSignal({ current: builtInPrices })
  const batch = new InsertBatch<StoredSpan>({
    blockOf: (spans) => signal.blockOf(owner, spans, nextVersion),
    memory,
    write: async (block) => write(block),
  })
  return { batch, taken: () => taken, most: () => most }
}

/** The number of rows of a small block follows that of its columns. */
const rowsIn = (block: Uint8Array) => block[1] ?? 0

test('the rows of a large request take no more memory than a part', async () => {
  let rowCount = 0
  const { batch, taken, most } = startBatch((block) => {
    expect(block.length).toBeLessThan(7 * MIB)
    rowCount += rowsIn(block)
  })
  // 96 MiB in UTF-8.
  const input = '€'.repeat(64 * 1024)
  for (let count = 0; count < 512; count += 1) {
    batch.add(spanWith(input), input.length)
    if (batch.isFull) await batch.store()
  }
  await batch.store()
  expect([rowCount, batch.storedCount, taken()]).toEqual([512, 512, 0])
  expect(most()).toBeLessThan(12 * MIB)
})

test('the spans of an ordinary request are stored at once', async () => {
  const writes: Uint8Array[] = []
  const { batch } = startBatch((block) => writes.push(block))
  const input = 'hello '.repeat(100)
  for (let count = 0; count < 500; count += 1) batch.add(spanWith(input), input.length)
  await batch.store()
  expect([batch.isFull, writes.length, batch.storedCount]).toEqual([false, 1, 500])
})
