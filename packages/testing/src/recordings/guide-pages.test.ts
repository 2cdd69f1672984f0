import { expect, test } from 'vitest'

import { readGuidePages, readRecordings } from './index.ts'

const recordings = new Map(readRecordings().map((recording) => [recording.name, recording]))

test.for(readGuidePages())('the agent of the page $name was recorded as it is', (page) => {
  const recording = recordings.get(`${page.name}/guide`)
  expect(recording?.guide_sha256, `run ./dev recordings ${page.name}/guide`).toBe(page.sha256)
  expect(recording?.settings).toEqual(page.settings)
  expect(Object.keys(page.packages).length).toBeGreaterThan(0)
  expect(recording?.packages).toMatchObject(page.packages)
})
