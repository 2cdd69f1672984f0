import { expect, test } from 'vitest'

import { parseAgentOrRevision, parseRevision, splitName, splitRevisions } from './agent-and-last.ts'

const agent = { account: undefined, name: 'notes', version: undefined }

test('a lone number is a revision, and anything else an agent', () => {
  expect([parseAgentOrRevision('4'), parseAgentOrRevision('notes')]).toEqual([4, agent])
  expect(splitRevisions(4, [undefined])).toEqual({ agent: undefined, revisions: [4] })
  expect(splitRevisions(agent, [4])).toEqual({ agent, revisions: [4] })
  expect(splitRevisions(undefined, [])).toEqual({ agent: undefined, revisions: [] })
})

test.each(['0', '-1', '1.5', '99999999999', '2147483648'])('%j is not a revision', (text) => {
  expect(() => parseRevision(text)).toThrow('slipway history lists them')
})

test('the last argument is the name', () => {
  expect(splitName('docs', undefined, 'x')).toEqual({ agent: undefined, name: 'docs' })
  expect(splitName('notes', 'docs', 'x')).toEqual({ agent, name: 'docs' })
  expect(() => splitName(undefined, undefined, 'the name of an ingestion')).toThrow(
    'the name of an ingestion is missing',
  )
})
