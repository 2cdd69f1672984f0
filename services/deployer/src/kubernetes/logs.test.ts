import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import type { KubernetesClient } from './client.ts'
import { readLog } from './logs.ts'

const QUERY = {
  namespace: 'n',
  pod: 'p',
  container: 'c',
  tailLines: 10,
  follow: false,
  previous: true,
  sinceSeconds: 0,
  timestamps: false,
  limitBytes: 1_000,
}

async function read(log: string): Promise<string> {
  const client = { stream: async () => Readable.from([Buffer.from(log)]) }
  const chunks = readLog(client as unknown as KubernetesClient, QUERY, new AbortController().signal)
  return await text(chunks)
}

test('a log that its node no longer has is not available', async () => {
  await expect(read('unable to retrieve container logs for containerd://f2df')).rejects.toThrow(
    'the node no longer has this log',
  )
  expect(await read('a line\nunable to retrieve container logs for x\n')).toContain('a line')
})
