import { PassThrough } from 'node:stream'

import { expect, test } from 'vitest'
import { parse } from 'yaml'

import type { Format } from '../output/printer.ts'
import { perform } from './perform.ts'

const HOSTILE = ['\u009b2J', '\u0085', '\u007f', '\u202e', '\u2066', '\u001b]0;x\u0007']

async function printed(result: unknown, output: Format): Promise<string> {
  const written: string[] = []
  const stream = { isTTY: true, write: (part: string) => written.push(part) }
  const context = {
    process: { stdin: new PassThrough(), stdout: stream, stderr: stream, env: {} },
    signal: new AbortController().signal,
    exit() {},
  }
  const implementation = { run: async () => result, view: () => [] }
  await perform(context, implementation, { json: false, output, quiet: false, verbose: false }, [])
  return written.join('')
}

test.each(HOSTILE)('escapes %j in a result as JSON and YAML, which mean the same', async (text) => {
  const words = 'many words '.repeat(20)
  const value = { [`key${text}`]: { name: `a${text}b`, list: [`${text}\n`, words + text + words] } }
  const json = await printed(value, 'json')
  const yaml = await printed(value, 'yaml')
  expect([JSON.parse(json), parse(yaml)]).toEqual([value, value])
  for (const form of [json, yaml]) expect(form).toMatch(/^[\n\x20-\x7e]+$/)
})
