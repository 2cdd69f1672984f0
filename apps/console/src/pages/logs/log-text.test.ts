import { expect, test } from 'vitest'

import { lineCount, lineText, shortSource } from './log-text.ts'

const line = {
  id: 1,
  time: '2026-11-24T10:00:00.000000Z',
  source: 'support-agent-6d5f8c7b9d-x2k4q',
  container: 'agent',
  isEvent: false,
  text: 'started',
  columns: 7,
}

test('copies a line with its time, its pod and its container', () => {
  expect(lineText(line)).toBe(
    '2026-11-24T10:00:00.000000Z support-agent-6d5f8c7b9d-x2k4q agent started',
  )
  expect(lineText({ ...line, source: '', container: '' })).toBe(
    '2026-11-24T10:00:00.000000Z started',
  )
})

test('names the pod without the agent, and a container that is not its component', () => {
  expect(shortSource(line, 'support')).toBe('agent-6d5f8c7b9d-x2k4q')
  expect(shortSource({ ...line, container: 'db' }, 'support')).toBe('agent-6d5f8c7b9d-x2k4q db')
  expect(shortSource(line, 'other')).toBe('support-age…9d-x2k4q agent')
})

test('counts lines in the singular and the plural', () => {
  expect([0, 1, 5000].map(lineCount)).toEqual(['0 lines', '1 line', '5000 lines'])
})
